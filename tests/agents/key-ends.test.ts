/** Where issued keys end, the first sentence of the failure says what ends them. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { Session } from '../../lib/check/session.ts';
import { caseNamed } from '../../lib/prove/serve-case.ts';
import { prepare } from '../../lib/prove/target.ts';
import { checks } from './run.ts';

const STAYS = 'AGENT-KEY-STAYS';
const EXPIRES = 'AGENT-KEY-NEVER-EXPIRES';

test.each([
  ['key-expires-with-the-assertion', EXPIRES, 'a key is answered 401 ten minutes after its issue'],
  ['key-expires-in-half-a-year', EXPIRES, 'a key is answered 401 a year after its issue'],
  [
    'key-expires-of-known-users',
    `${EXPIRES}/second-key`,
    'a second key is answered 401 a day after its issue',
  ],
  ['keys-limited-to-three', STAYS, 'an issued key is answered 401 after 3 other users registered'],
  ['keys-ended-by-other-users', STAYS, 'an issued key is answered 401 after another user registered'],
  [
    'keys-ended-by-forgery',
    STAYS,
    'an issued key is answered 401 after its user was refused 2 times, the last time with 401 invalid_signature',
  ],
])('%s', async (deviation, id, message) => {
  const { target, options, transport } = (await prepare(['agent-registration']))(
    await caseNamed(`agents/${deviation}`),
  );
  const session = await Session.open({
    runId: randomUUID(),
    target,
    options,
    ...(transport && { transport }),
  });
  const result = await checks.find((check) => check.id === id)!.run(session);
  await session.close();
  expect(result.findings[0]?.message).toBe(message);
});
