/**
 * Sections 1 to 3: limits at work where a repository has none of its own, and in another organization. Judged only where
 * this target is seen to remove caches.
 */

import { labelOf } from '../../services/caches/api/places.ts';
import { sizeOf } from '../../services/caches/fixtures/removals.ts';
import {
  type Elsewhere,
  isTooMuch,
  type Past,
  retentionElsewhere,
  storageElsewhere,
} from '../../services/caches/fixtures/removals-elsewhere.ts';
import { type CacheContext, check as suiteCheck } from './suite.ts';

// Days pass, and caches are removed by age and size.
const check = suiteCheck.with({
  effects: 'settings',
  touches: { clock: 'move', 'retention limits': 'alone', 'storage limits': 'alone', caches: 'alone' },
  phase: 'late',
});

const ORGANIZATION = ['caches.organization', 'caches.repository'];
const NAMESAKE = ['caches.otherOrganization', 'caches.namesakeRepository'];

/** Fails where caches are left that are past the limit of their repository. */
function notLeft({ expect }: CacheContext, past: Past, isLeft: boolean, what: string): void {
  const { repository, left, list } = past;
  expect.that(!isLeft, `the ${labelOf(repository)} ${what}: ${left.length} still listed`, {
    answer: list,
    at: '/actions_caches',
  });
}

for (const [id, where, needs] of [
  ['CACHE-RETENTION-INHERITED-APPLIES', 'inheriting', ORGANIZATION],
  ['CACHE-RETENTION-REPO-APPLIES', 'namesake', NAMESAKE],
] as const) {
  const named = where === 'namesake' ? { case: 'other-organization' } : {};
  check(id, { ...named, needs: [...needs] }, async (context) => {
    const { [where]: past } = await retentionElsewhere(context);
    if (typeof past === 'string') return context.skip(past);
    const isLeft = past.left.length > 0;
    notLeft(context, past, isLeft, `has a retention limit of ${past.limit} days and an older cache`);
  });
}

check('CACHE-RETENTION-KEEPS', { case: 'several-days', needs: [...NAMESAKE] }, async (context) => {
  const { young, namesake }: Elsewhere = await retentionElsewhere(context);
  if (!young) return context.skip(String(namesake));
  context.expect.that(
    young.stayed,
    "the repository's retention limit is 4 days: a cache that was not that old is gone",
    { answer: young.list, at: '/actions_caches' },
  );
});

for (const [id, where, needs] of [
  ['CACHE-STORAGE-INHERITED-APPLIES', 'inheriting', ORGANIZATION],
  ['CACHE-STORAGE-REPO-APPLIES', 'namesake', NAMESAKE],
] as const) {
  const named = where === 'namesake' ? { case: 'other-organization' } : {};
  check(id, { ...named, needs: [...needs] }, async (context) => {
    const { [where]: past } = await storageElsewhere(context);
    if (typeof past === 'string') return context.skip(past);
    const left = sizeOf(past.left);
    notLeft(
      context,
      past,
      isTooMuch(left),
      `has a storage limit of 1 gigabyte and caches of ${left} bytes after eviction`,
    );
  });
}
