/** When caches are removed for their age or evicted for size, and which of them. */
import type { Level } from '../../../reference/caches/index.ts';
import type { CacheVariant } from './kit.ts';

const fills = ['CACHE-SILENCE-REMOVAL'];
const WEEK = 7 * 86_400_000;

/** Evicts only where a storage limit of one of these levels is changed. */
const evictsWhenSet = (id: string, sentence: string, levels: readonly Level[]): CacheVariant => ({
  id,
  fills,
  sentence,
  rules: (original) => {
    let isDue = false;
    return {
      storeLimit: (change, operation, env) => {
        const { scope, kind, value } = change;
        const isChange = scope.limits[kind] !== value;
        original.storeLimit(change, operation, env);
        isDue = kind === 'storage' && isChange && levels.includes(scope.level);
        if (isDue) env.rules.sweep(env);
        isDue = false;
      },
      evictedCaches: (caches, limit) => (isDue ? original.evictedCaches(caches, limit) : []),
    };
  },
});

export const removalVariants: CacheVariant[] = [
  {
    id: 'nothing-is-removed-by-the-hook-clock',
    fills,
    sentence: 'removes caches by jobs that the clock hook does not start',
    rules: () => ({ sweep: () => {} }),
  },
  {
    id: 'age-only-by-the-hook-clock',
    fills,
    sentence: 'evicts only when a workflow creates a cache, not when the seed hook does',
    rules: () => ({ evictedCaches: () => [] }),
  },
  {
    id: 'evicts-newest-to-eighty-percent',
    fills,
    sentence:
      'evicts the newest first, down to 80 percent of decimal gigabytes, twice a day, and counts from creation',
    rules: (original) => ({
      gigabyte: 1_000_000_000,
      sweepInterval: 12 * 3_600_000,
      isExpired: (cache, days, now) =>
        original.isExpired({ ...cache, lastAccessedAt: cache.createdAt }, days, now),
      evictedCaches: (caches, limit) => {
        const size = caches.reduce((sum, { sizeInBytes }) => sum + sizeInBytes, 0);
        if (size <= limit) return [];
        let left = size;
        return [...caches]
          .sort((a, b) => b.id - a.id)
          .filter(({ sizeInBytes }) => {
            if (left <= 0.8 * limit) return false;
            left -= sizeInBytes;
            return true;
          });
      },
    }),
  },
  {
    id: 'evicts-one-a-day',
    fills,
    sentence: 'evicts one cache of each repository with a job that runs once a day',
    rules: (original) => ({
      sweepInterval: 24 * 3_600_000,
      evictedCaches: (caches, limit) => original.evictedCaches(caches, limit).slice(0, 1),
    }),
  },
  {
    id: 'evicts-once-a-week',
    fills,
    sentence: 'evicts with a job that runs once a week',
    rules: (original) => {
      let last: number | undefined;
      let isDue = false;
      return {
        sweep: (env) => {
          const now = env.clock.now();
          last ??= now;
          isDue = now - last >= WEEK;
          if (isDue) last = now;
          original.sweep(env);
        },
        evictedCaches: (caches, limit) => (isDue ? original.evictedCaches(caches, limit) : []),
      };
    },
  },
  evictsWhenSet(
    'evicts-when-a-limit-is-set',
    'evicts only when a storage limit is set, with neither seed hook nor clock',
    ['organization', 'repository'],
  ),
  evictsWhenSet(
    'evicts-when-an-organization-s-limit-is-set',
    'evicts only when the storage limit of an organization is set, and then in each repository down to its own',
    ['organization'],
  ),
  {
    id: 'removes-at-once',
    fills,
    sentence: 'counts the age from creation and removes what is too old before each request',
    rules: (original) => ({
      sweepInterval: 0,
      isExpired: (cache, days, now) =>
        original.isExpired({ ...cache, lastAccessedAt: cache.createdAt }, days, now),
    }),
  },
  {
    id: 'present-time-on-every-new-cache',
    fills,
    sentence: 'sets the present time on every new cache, and says so in the answer of the seed hook',
    rules: () => ({ seededTimes: (_cache, now) => ({ createdAt: now, lastAccessedAt: now }) }),
  },
  {
    id: 'age-from-arrival',
    fills,
    sentence: 'counts the age of a cache from when it was stored, whatever times it was made with',
    rules: (original) => {
      const arrival = new Map<number, number>();
      return {
        seededTimes: (cache, now) => {
          arrival.set(cache.id, now);
          return original.seededTimes(cache, now);
        },
        isExpired: (cache, days, now) =>
          original.isExpired({ ...cache, lastAccessedAt: arrival.get(cache.id) ?? now }, days, now),
      };
    },
  },
  {
    id: 'one-more-than-the-limit',
    fills,
    sentence:
      'evicts before a cache is created without counting its size, so that the newest one may exceed the limit',
    rules: (original) => ({
      evictedCaches: (caches, limit) => {
        const newest = caches.reduce((a, b) => (a.id > b.id ? a : b), caches[0]!);
        return original.evictedCaches(
          caches.filter((cache) => cache !== newest),
          limit,
        );
      },
    }),
  },
];
