/** The last checks of the suite: what was answered at its beginning is answered still. */
import { check } from './suite.ts';

check('TOKEN-ISSUE-STATUS', { case: 'at-the-end' }, async ({ oauth, expect }) => {
  const encoding = await oauth.encoding('token');
  expect.status(await oauth.request({}, encoding, 'ask for an access token at the end'), 200);
});
