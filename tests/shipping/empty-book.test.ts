/**
 * A list without addresses may be answered like a page after the last one. Checks of the list have to cope
 * with that when they run alone, since no other check has saved an address before.
 */
import { expect, test } from 'vitest';
import type { Transport } from '../../lib/http/transport.ts';
import { checksOnReference } from '../lib/reference-checks.ts';

/** A wire that answers an empty list with 404. */
const notFoundWhereEmpty = (wire: Transport): Transport => ({
  ...wire,
  send: async (request) => {
    const answer = await wire.send(request);
    return answer.text.includes('"total_count":0')
      ? { ...answer, status: 404, text: '{}', bytes: 2 }
      : answer;
  },
});

test('checks of the list, and nothing before them, on a server that answers 404 to an empty list', async () => {
  const results = await checksOnReference('shipping', 'address-book', 'list-pages.suite', notFoundWhereEmpty);
  const undecided = results
    .filter(({ verdict }) => verdict !== 'passed' && verdict !== 'observed')
    .map(({ id, verdict, reason }) => `${id} ${verdict}: ${reason}`);
  expect(undecided).toEqual([]);
});
