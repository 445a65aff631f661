/** The last checks of the suite: what was answered at its beginning is answered still. */
import { check as suiteCheck } from './suite.ts';

// Whether the target still works when everything else was asked.
const check = suiteCheck.with({ touches: { clock: 'alone' }, phase: 'late' });

check('TOKEN-ISSUE-STATUS', { case: 'at-the-end' }, async ({ oauth, expect }) => {
  const encoding = await oauth.encoding('token');
  expect.status(await oauth.request({}, encoding, 'ask for an access token at the end'), 200);
});
