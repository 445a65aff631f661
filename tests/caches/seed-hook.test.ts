/**
 * Seed hooks that do less than they are asked for, and say so in their answer. That is no fault of the
 * target: no check may fail or be blocked.
 */
import { expect, test } from 'vitest';
import type { Transport } from '../../lib/http/transport.ts';
import { checksOnReference } from '../lib/reference-checks.ts';

/** Returns a transport that changes each cache in requests to the seed hook. */
function seeding(wire: Transport, change: (cache: Record<string, unknown>) => object): Transport {
  return {
    ...wire,
    send: (request) => {
      if (!request.url.endsWith('/hooks/seed')) return wire.send(request);
      const { caches } = JSON.parse(request.body ?? '') as { caches: Record<string, unknown>[] };
      return wire.send({ ...request, body: JSON.stringify({ caches: caches.map(change) }) });
    },
  };
}

test('caches that are stamped when they are made are in no order by time', async () => {
  const now = new Date().toISOString();
  const stamped = (cache: object) => ({ ...cache, created_at: now, last_accessed_at: now });
  const results = await checksOnReference('caches', 'cache-management', 'caches-sort.suite', (wire) =>
    seeding(wire, stamped),
  );
  expect(results.filter(({ verdict }) => !['passed', 'observed', 'skipped'].includes(verdict))).toEqual([]);
  expect(results.find(({ id }) => id === 'CACHE-LIST-SORT-DEFAULT/filtered')).toMatchObject({
    verdict: 'skipped',
    reason: 'all caches that are listed here have the same last_accessed_at',
  });
});
