/**
 * Conforming servers that were accused where checks ran in another order than the planned one: in random orders, too,
 * nothing fails and nothing is undecided.
 */
import { afterAll, expect, test } from 'vitest';
import { ProofClock } from '../../lib/prove/clock.ts';
import { outcomeOf } from './outcome-of.ts';

const IDS = [
  // A limit may be what it would be if a large value were truncated.
  'caches/variants/together/51',
  // A level may not be lowered below those under it.
  'caches/variants/together/15',
  // The job that evicts runs once a week, and may have been about to run when evictions were watched.
  'caches/variants/together/29',
];

const { now } = Date;
const clock = new ProofClock(now());
afterAll(() => {
  Date.now = now;
});

test.each(IDS.flatMap((id) => [5, 99].map((seed) => [id, seed] as const)))(
  '%s, seed %i',
  async (id, seed) => {
    const order = { concurrency: 1, order: 'random', seed } as const;
    expect((await outcomeOf(id, order, clock)).outcome.notable).toEqual([]);
  },
);
