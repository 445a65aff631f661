/**
 * Deviations that checks side by side could hide from each other, or that could be reported by a check that another one
 * disturbed: with eight lanes each is found by the requirements that it breaks, and by no others.
 */
import { afterAll, expect, test } from 'vitest';
import { ProofClock } from '../../lib/prove/clock.ts';
import { outcomeOf } from './outcome-of.ts';

const IDS = [
  // The failure itself keeps the check from being repeated.
  'shipping/create-upserts',
  'shipping/with-redirect-uri-cached',
  // The first request that meets the fault takes what shows it.
  'shipping/create-refused-and-done',
  'shipping/update-plain-letters-in-what-it-omits',
  'caches/storage-text-stored',
  // What one check does ends the keys of another.
  'agents/second-key-replaces-the-first',
  'agents/keys-ended-by-wrong-audience',
  'agents/keys-limited-to-three',
  'agents/calls-merged-at-once',
];

const { now } = Date;
const clock = new ProofClock(now());
afterAll(() => {
  Date.now = now;
});

test.each(IDS)('%s', async (id) => {
  const lanes = { concurrency: 8, order: 'planned', seed: 1 } as const;
  const { each, outcome } = await outcomeOf(id, lanes, clock);
  const failed = outcome.notable.flatMap(({ verdicts }) =>
    Object.keys(verdicts).filter((requirement) => verdicts[requirement] === 'failed'),
  );
  expect([...new Set(failed)].sort()).toEqual([...each.breaks].sort());
});
