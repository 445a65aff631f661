/**
 * Sections 1 to 3: limits are applied in a repository without a limit of its own, and in another
 * organization. This is judged only if the target is seen to remove caches.
 */

import { labelOf } from '../../services/caches/api/places.ts';
import { underLowered } from '../../services/caches/fixtures/removal-under-lowered.ts';
import { sizeOf } from '../../services/caches/fixtures/removals.ts';
import { type Elsewhere, isTooMuch, type Past } from '../../services/caches/fixtures/removals-elsewhere.ts';
import { retentionElsewhere } from '../../services/caches/fixtures/retention-elsewhere.ts';
import { storageElsewhere } from '../../services/caches/fixtures/storage-elsewhere.ts';
import { HIERARCHY_IDS } from '../../services/caches/requirement-ids/hierarchy.ts';
import { KINDS } from '../../services/caches/vocabulary.ts';
import { DAYS_PASS, check as suiteCheck } from './suite.ts';

const check = suiteCheck.with({ effects: 'settings', ...DAYS_PASS });

const ORGANIZATION = ['caches.organization', 'caches.repository'];
const NAMESAKE = ['caches.otherOrganization', 'caches.namesakeRepository'];

/**
 * For each kind of limit, the fixture with caches that exceed it, and a function that returns what is wrong
 * with the caches that are left, or undefined if nothing is.
 */
const PAST = {
  retention: {
    elsewhere: retentionElsewhere,
    wrong: ({ left, limit }: Past) =>
      left.length > 0 ? `has a retention limit of ${limit} days and an older cache` : undefined,
  },
  storage: {
    elsewhere: storageElsewhere,
    wrong: ({ left, limit }: Past) =>
      isTooMuch(sizeOf(left), limit)
        ? `has a storage limit of ${limit} GB and caches of ${sizeOf(left)} bytes after eviction`
        : undefined,
  },
};

for (const [id, kind, where] of [
  ['CACHE-RETENTION-INHERITED-APPLIES', 'retention', 'inheriting'],
  ['CACHE-RETENTION-REPO-APPLIES', 'retention', 'namesake'],
  ['CACHE-STORAGE-INHERITED-APPLIES', 'storage', 'inheriting'],
  ['CACHE-STORAGE-REPO-APPLIES', 'storage', 'namesake'],
] as const) {
  const options =
    where === 'namesake' ? { case: 'other-organization', needs: NAMESAKE } : { needs: ORGANIZATION };
  check(id, options, async (context) => {
    const { elsewhere, wrong } = PAST[kind];
    const { [where]: past } = await elsewhere(context);
    if (typeof past === 'string') return context.skip(past);
    const { repository, left, list } = past;
    const what = wrong(past);
    context.expect.that(
      what === undefined,
      `the ${labelOf(repository)} ${what}: ${left.length} still listed`,
      { answer: list, at: '/actions_caches' },
    );
  });
}

for (const kind of KINDS) {
  const options = { case: 'unset-lowest', needs: ORGANIZATION };
  check(HIERARCHY_IDS[kind]['BELOW-LOWERED'], options, async (context) => {
    const { unset, inheriting } = await PAST[kind].elsewhere(context);
    if (!unset) return context.skip(String(inheriting));
    const { repository, limit, of, read } = unset;
    context.expect.that(
      limit <= of,
      `the organization was lowered to ${of}, and the ${labelOf(repository)}, which was not set, reads ${limit}`,
      { answer: read, expected: `at most ${of}`, found: String(limit) },
    );
  });
}

for (const [id, kind] of [
  ['CACHE-RETENTION-INHERITED-APPLIES', 'retention'],
  ['CACHE-STORAGE-INHERITED-APPLIES', 'storage'],
] as const) {
  check(id, { case: 'capped', needs: ORGANIZATION }, async (context) => {
    const past = await underLowered(context, kind);
    if (typeof past === 'string') return context.skip(past);
    const { repository, left, list } = past;
    const what = PAST[kind].wrong(past);
    context.expect.that(
      what === undefined,
      `the ${labelOf(repository)}, which was set higher than its organization is now, ${what}: ${left.length} still listed`,
      { answer: list, at: '/actions_caches' },
    );
  });
}

check('CACHE-RETENTION-KEEPS', { case: 'several-days', needs: NAMESAKE }, async (context) => {
  const { young, namesake }: Elsewhere = await retentionElsewhere(context);
  if (!young) return context.skip(String(namesake));
  context.expect.that(
    young.stayed,
    `the repository's retention limit is ${young.limit} days: a cache that was not that old is gone`,
    { answer: young.list, at: '/actions_caches' },
  );
});

check('CACHE-STORAGE-KEEPS', { case: 'elsewhere', needs: ORGANIZATION }, async (context) => {
  const { apart } = await storageElsewhere(context);
  if (typeof apart !== 'object')
    return context.skip(
      apart ?? 'the storage limits of a repository and of another one cannot be set as low as needed',
    );
  const { cache, stayed, list } = apart;
  context.expect.that(
    stayed,
    `the ${labelOf(cache.repository)} is within its storage limit, the lowest that the target accepts: its cache is gone, as if those of another repository, of the same name or the same organization, counted`,
    { answer: list, at: '/actions_caches' },
  );
});

check(
  'CACHE-RETENTION-KEEPS',
  { case: 'namesake', needs: [...ORGANIZATION, ...NAMESAKE] },
  async (context) => {
    const { older, namesake } = await retentionElsewhere(context);
    if (typeof older !== 'object') return context.skip(older ?? String(namesake));
    const { cache, stayed, list } = older;
    context.expect.that(
      stayed,
      `the ${labelOf(cache.repository)} has a retention limit of months, and the repository of the same name under another owner one of a few days: a cache of less than a month is gone`,
      { answer: list, at: '/actions_caches' },
    );
  },
);
