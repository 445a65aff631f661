/** The last checks of the suite: a request that was answered at the beginning is still answered. */
import { check as suiteCheck } from './suite.ts';

// This check runs last, to see whether the target still works after all other requests.
const check = suiteCheck.with({ touches: { clock: 'move' }, phase: 'late' });

check('TOKEN-ISSUE-STATUS', { case: 'at-the-end' }, async ({ oauth, expect }) => {
  const encoding = await oauth.encoding('token');
  expect.status(await oauth.request({}, encoding, 'ask for an access token at the end'), 200);
});
