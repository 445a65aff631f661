/**
 * Deviations that checks side by side could hide from each other, or that could be reported by a check that another one
 * disturbed: with eight lanes each is found by the requirements that it breaks, and by no others.
 */
import { afterAll, expect, test } from 'vitest';
import { matches } from '../../lib/model/pattern.ts';
import { ProofClock } from '../../lib/prove/clock.ts';
import { loadCases } from '../../lib/prove/load.ts';
import type { ProofCase } from '../../lib/prove/model.ts';
import { outcomeOf } from './outcome-of.ts';

const IDS = [
  // The failure itself keeps the check from being repeated.
  'shipping/create-upserts',
  'shipping/with-redirect-uri-cached',
  // The first request that meets the fault takes what shows it.
  'shipping/create-refused-and-done',
  'shipping/update-plain-letters-in-what-it-omits',
  'caches/storage-text-stored',
  // What checks beside it have made makes another requirement look violated.
  'caches/org-usage-counts-deleted',
  'caches/repository-storage-not-stored',
  // What others have made or set hides the fault.
  'caches/eviction-when-reached',
  'caches/retention-repository-to-namesakes',
  // Requests of others are mixed up as well, and refused for their number.
  'shipping/creates-at-once-share',
  // Fewer registrations come between two uses of an assertion.
  'agents/replay-store-of-ten',
  // A second attempt uses other keys.
  'caches/entry-key-of-digits-as-number',
  // What one check does ends the keys of another.
  'agents/second-key-replaces-the-first',
  'agents/keys-ended-by-wrong-audience',
  'agents/keys-limited-to-three',
  'agents/calls-merged-at-once',
];

/** The same for those that violate further requirements, with lanes or without. */
const ENTAILING = [
  'caches/list-owner',
  'caches/by-repo-never-refreshed',
  'agents/user-created-once-for-each-request-under-way',
];

const LANES = { concurrency: 8, order: 'planned', seed: 1 } as const;

const { now } = Date;
const clock = new ProofClock(now());
afterAll(() => {
  Date.now = now;
});

/** Returns the case, and the requirements that fail with eight lanes. */
async function failedBeside(id: string): Promise<{ each: ProofCase; failed: ReadonlySet<string> }> {
  const { each, outcome } = await outcomeOf(id, LANES, clock);
  const failed = outcome.notable.flatMap(({ verdicts }) =>
    Object.keys(verdicts).filter((requirement) => verdicts[requirement] === 'failed'),
  );
  return { each, failed: new Set(failed) };
}

test.each(IDS)('%s', async (id) => {
  const { each, failed } = await failedBeside(id);
  expect([...failed].sort()).toEqual([...each.breaks].sort());
});

test.each(ENTAILING)('%s, and what it entails', async (id) => {
  const { each, failed } = await failedBeside(id);
  expect([...failed]).toEqual(expect.arrayContaining([...each.breaks]));
  expect(
    [...failed].filter((requirement) => !matches(requirement, [...each.breaks, ...each.entails])),
  ).toEqual([]);
});

test('registrations that are throttled without being told for how long get their turn', async () => {
  const id = 'agents/variants/registrations-in-windows-that-it-does-not-tell';
  const lanes = { concurrency: 8, order: 'random', seed: 99 } as const;
  expect((await outcomeOf(id, lanes, clock)).outcome.notable).toEqual([]);
});

test('registrations of the only user are made one by one', async () => {
  const sentences = ['knows a single user', 'to a user for whom another registration is under way'];
  const both = (await loadCases()).find(({ sentence }) => sentences.every((each) => sentence.includes(each)));
  expect((await outcomeOf(both?.id ?? 'none', LANES, clock)).outcome.notable).toEqual([]);
});

test('caches that a wrong deletion has taken are made anew where the check is repeated alone', async () => {
  const lanes = { concurrency: 8, order: 'random', seed: 12 } as const;
  const { outcome } = await outcomeOf('caches/delete-unknown-key-falls-back', lanes, clock);
  const failed = outcome.notable.filter(({ verdict }) => verdict === 'failed').map(({ check }) => check);
  expect(failed).toContain('CACHE-DELETE-KEY-UNKNOWN');
});
