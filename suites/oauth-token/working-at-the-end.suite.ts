/** Section 4.4: the target still issues tokens after all other requests. */
import { check as suiteCheck } from './suite.ts';

// This check runs last, to see whether the target still works after all other requests.
const check = suiteCheck.with({ touches: { clock: 'move' }, phase: 'late' });

/** Longer than services lock out clients after requests with a wrong secret, of which a run sends many. */
const LOCKED_OUT_MS = 3_600_000;

check('TOKEN-ISSUE-STATUS', { case: 'at-the-end' }, async ({ oauth, time, expect, skip }) => {
  const encoding = await oauth.encoding('token');
  const issue = () => oauth.request({}, encoding, 'ask for an access token at the end');
  const answer = await issue();
  if (answer.status === 401 || answer.status === 403) {
    await time.pass(
      LOCKED_OUT_MS,
      'whether the client is only locked out after requests with a wrong secret',
    );
    if ((await issue()).ok)
      return skip(`answered ${answer.status}, and 200 an hour later: a lock-out is left open`);
  }
  expect.status(answer, 200);
});
