/** The last check of the suite: what was answered at its beginning is answered still. */
import { check as suiteCheck } from './suite.ts';

// Whether the target still works when everything else was asked.
const check = suiteCheck.with({ touches: { clock: 'alone' }, phase: 'late' });

check('ADDR-LIST-STATUS', { case: 'at-the-end' }, async ({ addresses, expect }) => {
  expect.status(await addresses.list({ per_page: 1 }, 'list addresses at the end'), 200);
});
