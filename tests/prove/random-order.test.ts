/**
 * Conforming servers that were accused where checks ran in another order than the planned one: in random orders, too,
 * nothing fails and nothing is undecided.
 */
import { afterAll, expect, test } from 'vitest';
import { ProofClock } from '../../lib/prove/clock.ts';
import { loadCases } from '../../lib/prove/load.ts';
import { runCase } from '../../lib/prove/run-case.ts';
import { prepare } from '../../lib/prove/target.ts';
import { checksOf, suiteFiles } from '../../lib/run/suite-files.ts';

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
    const each = (await loadCases()).find((known) => known.id === id)!;
    const checks = await checksOf(suiteFiles().get('cache-management')!);
    const { facts: _, ...input } = (await prepare(['cache-management']))(each);
    clock.begin();
    const order = { concurrency: 1, order: 'random', seed } as const;
    expect((await runCase(id, checks, input, false, order, clock)).notable).toEqual([]);
  },
);
