/** The last check of the suite: what was answered at its beginning is answered still. */
import { check } from './suite.ts';

check('ADDR-LIST-STATUS', { case: 'at-the-end' }, async ({ addresses, expect }) => {
  expect.status(await addresses.list({ per_page: 1 }, 'list addresses at the end'), 200);
});
