/** 8 Limits, and whatever lets much time pass: last, since everything that was minted before expires. */
import { told } from '../support/agents/registrations.ts';
import { check } from './suite.ts';

const write = { effects: 'write' } as const;
const MINUTE_MS = 60_000;
const YEAR_MS = 365 * 24 * 60 * MINUTE_MS;

check('AGENT-REPLAY-MEMORY', write, async ({ registrations, time, observe }) => {
  const { user, assertion } = await registrations.twin();
  await time.pass(60 * MINUTE_MS, 'how long a used jti is remembered');
  const { jti } = assertion.claims;
  const { answer } = await registrations.register('register with a jti whose first assertion expired long ago', {
    user,
    changes: { claims: { jti } },
    purse: 'sweep',
  });
  observe(`an hour after its first use: ${answer.ok ? 'accepted' : told(answer)}`);
});

check('AGENT-KEY-NEVER-EXPIRES', write, async ({ door, time, expect }) => {
  const { key } = await door.openingKey();
  await door.isGuarded();
  await time.pass(YEAR_MS, 'whether a key expires');
  const answer = await door.knock({ purpose: 'call the API with the key a year later', key });
  expect.that(answer.status !== 401, 'a key is answered 401 a year after its issue', { answer, at: 'status', expected: 'anything but 401', found: '401' });
});

check('AGENT-RATE-LIMITS', async ({ registrations, observe }) => {
  const { used, throttled } = registrations.endpoint.attempts;
  const made = `${used} registration ${used === 1 ? 'attempt' : 'attempts'} in this run`;
  observe(throttled === undefined ? `${made}, none was throttled` : `${made}; registrations were throttled: ${throttled}`);
});
