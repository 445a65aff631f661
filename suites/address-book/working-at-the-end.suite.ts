/** The last check of the suite: a request that was answered at the beginning is still answered. */
import { check as suiteCheck } from './suite.ts';

// This check runs last, to see whether the target still works after all other requests.
const check = suiteCheck.with({ touches: { clock: 'move' }, phase: 'late' });

check('ADDR-LIST-STATUS', { case: 'at-the-end' }, async ({ addresses, expect }) => {
  expect.status(await addresses.list({ per_page: 1 }, 'list addresses at the end'), 200);
});
