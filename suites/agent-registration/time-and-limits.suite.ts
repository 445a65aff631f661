/** 8 Limits, and whatever lets much time pass: last, since everything that was minted before expires. */
import { expectReplayRefused } from '../support/agents/refusal.ts';
import { told } from '../support/agents/registrations.ts';
import { check } from './suite.ts';

const write = { effects: 'write' } as const;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const YEARS_MS = 5 * 365 * 24 * HOUR_MS;

check('AGENT-REPLAY-LATER', { ...write, case: 'lifetime' }, async ({ registrations, time, expect }) => {
  await registrations.twin();
  const { answer, assertion } = await registrations.register('register a user to try the assertion again', {
    purse: 'sweep',
  });
  expect.accepted(answer, 'the assertion is good');
  await time.pass(4 * MINUTE_MS, 'whether a jti is remembered as long as its assertion is good');
  const again = await registrations.resend(
    assertion,
    'register with the same assertion shortly before it expires',
    'sweep',
  );
  expectReplayRefused(expect, again, 'the assertion was redeemed before and has not expired yet');
});

check('AGENT-KEY-NEVER-EXPIRES', write, async ({ door, time, expect, block }) => {
  const { key } = await door.openingKey();
  await door.isGuarded();
  const before = await door.knock({ purpose: 'call the API with the key', key });
  if (before.status === 401) block('the key does not open the API any more', 'AGENT-USER-FIRST-KEY-STAYS');
  await time.pass(YEARS_MS, 'whether a key expires');
  const answer = await door.knock({ purpose: 'call the API with the key five years later', key });
  expect.that(answer.status !== 401, 'a key is answered 401 five years after its issue', {
    answer,
    at: 'status',
    expected: 'anything but 401',
    found: '401',
  });
});

check('AGENT-REPLAY-MEMORY', write, async ({ registrations, time, observe }) => {
  const { user, assertion } = await registrations.twin();
  await time.pass(HOUR_MS, 'how long a used jti is remembered');
  const { jti } = assertion.claims;
  const { answer } = await registrations.register(
    'register with a jti whose first assertion expired long ago',
    {
      user,
      changes: { claims: { jti } },
      purse: 'sweep',
    },
  );
  observe(
    `${past(time.now() / 1000 - Number(assertion.claims.exp))} after the first assertion expired: ${answer.ok ? 'accepted' : told(answer)}`,
  );
});

check('AGENT-RATE-LIMITS', async ({ registrations, observe }) => {
  const { used, throttled } = registrations.endpoint.attempts;
  const made = `${used} registration ${used === 1 ? 'attempt' : 'attempts'} in this run`;
  observe(
    throttled === undefined
      ? `${made}, none was throttled`
      : `${made}; registrations were throttled: ${throttled}`,
  );
});

/** Seconds in words, roughly. */
function past(seconds: number): string {
  return seconds < 48 * 3600 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}
