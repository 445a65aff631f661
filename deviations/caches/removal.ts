/**
 * Removal after the retention time and eviction for size, where a repository has limits of its own (sections
 * 1 to 3).
 */
import {
  type Cache,
  type CacheRules,
  defaultNames,
  defaultWorld,
  type Repository,
} from '../../reference/caches/index.ts';
import { breaking, type CacheDeviation, type Changed } from './kit.ts';

const DAY = 86_400_000;
const GIGABYTE = 2 ** 30;
const DAYS = defaultWorld.enterprises[0]!.limits!.retention!;

/** Replaces the choice of what to evict; `choose` gets the correct rule as `right`. */
const evicting =
  (choose: (caches: Cache[], limit: number, right: CacheRules['evictedCaches']) => Cache[]) =>
  (original: CacheRules): Changed => ({
    evictedCaches: (caches, limit) => choose(caches, limit, original.evictedCaches),
  });

/** Counts the caches of several repositories towards the storage limit of each. */
const summing = (
  id: string,
  sentence: string,
  together: (one: Repository, other: Repository) => boolean,
): CacheDeviation =>
  breaking(`eviction-sums-${id}`, 'CACHE-STORAGE-KEEPS', sentence, (original) => ({
    sweep: (env) => {
      const { rules, state } = env;
      original.sweep(env);
      for (const repository of state.repositories) {
        const all = state.caches.filter((cache) => together(cache.repository, repository));
        const limit = rules.limitInForce(repository, 'storage', env) * rules.gigabyte;
        const gone = rules.evictedCaches(all, limit).filter((cache) => cache.repository === repository);
        if (gone.length > 0) rules.removeCaches(gone, 'limit', env);
      }
    },
  }));

export const removalDeviations: CacheDeviation[] = [
  breaking(
    'retention-of-the-enterprise-only',
    'CACHE-RETENTION-REPO-APPLIES',
    'removes caches after the retention time of the enterprise, also where a repository has a shorter one',
    (original) => ({
      isExpired: (cache, _days, now) =>
        original.isExpired(cache, cache.repository.organization?.enterprise?.limits.retention ?? DAYS, now),
    }),
    ['CACHE-RETENTION-INHERITED-APPLIES'],
  ),
  breaking(
    'retention-of-the-organization',
    'CACHE-RETENTION-REPO-APPLIES',
    "removes caches after the organization's retention time, also where a repository has a shorter one",
    (original) => ({
      isExpired: (cache, days, now) =>
        original.isExpired(cache, cache.repository.organization?.limits.retention ?? days, now),
    }),
  ),
  breaking(
    'retention-of-the-enterprise-from-arrival',
    'CACHE-RETENTION-REPO-APPLIES',
    'counts retention from the creation of a cache and applies only the limit of the enterprise',
    (original) => {
      const arrival = new Map<Cache, number>();
      return {
        cachesOf: (repository, env) => {
          const caches = original.cachesOf(repository, env);
          for (const cache of caches) if (!arrival.has(cache)) arrival.set(cache, env.clock.now());
          return caches;
        },
        isExpired: (cache, _days, now) =>
          original.isExpired({ ...cache, lastAccessedAt: arrival.get(cache) ?? now }, DAYS, now),
      };
    },
  ),
  breaking(
    'eviction-for-each-reference',
    'CACHE-STORAGE-REPO-APPLIES',
    'compares the caches of each reference of a repository separately with its storage limit',
    evicting((caches, limit, right) =>
      [...new Set(caches.map(({ ref }) => ref))].flatMap((ref) =>
        right(
          caches.filter((cache) => cache.ref === ref),
          limit,
        ),
      ),
    ),
  ),
  breaking(
    'eviction-of-branches',
    'CACHE-STORAGE-REPO-APPLIES',
    'compares only the caches of branches with the storage limit, and evicts only these',
    evicting((caches, limit, right) =>
      right(
        caches.filter(({ ref }) => ref.startsWith('refs/heads/')),
        limit,
      ),
    ),
  ),
  breaking(
    'eviction-of-one',
    'CACHE-STORAGE-REPO-APPLIES',
    'evicts one cache when the storage limit is exceeded, and no other until more are created',
    (original) => {
      const left = new Map<unknown, number>();
      return evicting((caches, limit, right) => {
        const repository = caches[0]?.repository;
        if (caches.length <= (left.get(repository) ?? 0)) return [];
        const doomed = right(caches, limit).slice(-1);
        if (doomed.length > 0) left.set(repository, caches.length - 1);
        return doomed;
      })(original);
    },
    ['CACHE-STORAGE-INHERITED-APPLIES'],
  ),
  breaking(
    'retention-passes-over-the-organization',
    'CACHE-RETENTION-INHERITED-APPLIES',
    'removes caches after the retention time of their repository, or else of the enterprise',
    (original) => ({
      isExpired: (cache, days, now) => {
        const { limits, organization } = cache.repository;
        const above = organization?.enterprise?.limits.retention ?? DAYS;
        return original.isExpired(cache, limits.retention === undefined ? above : days, now);
      },
    }),
  ),
  breaking(
    'retention-in-the-first-organization',
    'CACHE-RETENTION-REPO-APPLIES',
    'removes old caches of the first organization only',
    (original) => ({
      isExpired: (cache, days, now) =>
        cache.repository.owner === defaultNames.organization && original.isExpired(cache, days, now),
    }),
  ),
  breaking(
    'retention-of-branches-only',
    'CACHE-RETENTION-REPO-APPLIES',
    'removes no caches of pull requests and tags after the retention time',
    (original) => ({
      isExpired: (cache, days, now) =>
        cache.ref.startsWith('refs/heads/') && original.isExpired(cache, days, now),
    }),
  ),
  breaking(
    'retention-a-day-early',
    'CACHE-RETENTION-KEEPS',
    'removes caches a day before their retention time is over, where it is more than one',
    (original) => ({
      isExpired: (cache, days, now) => original.isExpired(cache, Math.max(1, days - 1), now),
    }),
  ),
  breaking(
    'retention-of-pull-requests-a-day',
    'CACHE-RETENTION-KEEPS',
    'removes caches of pull requests after a day, whatever the limit is',
    (original) => ({
      isExpired: (cache, days, now) =>
        original.isExpired(cache, cache.ref.startsWith('refs/pull/') ? 1 : days, now),
    }),
  ),
  breaking(
    'retention-of-the-setting-before',
    'CACHE-RETENTION-KEEPS',
    'removes caches after the retention time that their repository had before the last setting, where it had one',
    (original) => {
      const earlier = new Map<Repository, { now: number; before: number }>();
      return {
        isExpired: (cache, days, now) => {
          const known = earlier.get(cache.repository) ?? { now: days, before: days };
          if (known.now !== days) Object.assign(known, { now: days, before: known.now });
          earlier.set(cache.repository, known);
          return original.isExpired(cache, known.before, now);
        },
      };
    },
    ['CACHE-RETENTION-REPO-APPLIES', 'CACHE-RETENTION-INHERITED-APPLIES'],
  ),
  breaking(
    'eviction-passes-over-the-organization',
    'CACHE-STORAGE-INHERITED-APPLIES',
    'enforces the storage limit of a repository, or else that of the enterprise',
    evicting((caches, limit, right) =>
      caches[0]?.repository.limits.storage === undefined
        ? right(caches, 200 * GIGABYTE)
        : right(caches, limit),
    ),
  ),
  breaking(
    'eviction-by-the-organization-only',
    'CACHE-STORAGE-REPO-APPLIES',
    'enforces the storage limit of the organization only, also where a repository has a lower one',
    evicting((caches, _limit, right) =>
      right(caches, (caches[0]?.repository.organization?.limits.storage ?? 200) * GIGABYTE),
    ),
  ),
  breaking(
    'eviction-in-the-first-organization',
    'CACHE-STORAGE-REPO-APPLIES',
    'evicts caches of the first organization only',
    evicting((caches, limit, right) =>
      caches[0]?.repository.owner === defaultNames.organization ? right(caches, limit) : [],
    ),
  ),
  breaking(
    'eviction-at-three-quarters',
    'CACHE-STORAGE-KEEPS',
    'begins to evict at three quarters of the storage limit',
    evicting((caches, limit, right) => right(caches, 0.75 * limit)),
  ),
  breaking(
    'retention-in-whole-days',
    'CACHE-RETENTION-KEEPS',
    'rounds the age of a cache to whole days, and removes it on the last one',
    () => ({ isExpired: (cache, days, now) => Math.round((now - cache.lastAccessedAt) / DAY) >= days }),
  ),
  breaking(
    'eviction-when-reached',
    'CACHE-STORAGE-KEEPS',
    'evicts as soon as the caches of a repository reach its storage limit in decimal gigabytes',
    (original) => ({
      gigabyte: 1_000_000_000,
      evictedCaches: (caches, limit) => original.evictedCaches(caches, limit - 1),
    }),
  ),
  summing(
    'organization',
    'begins to evict in a repository when the caches of all repositories of its organization exceed its limit',
    (one, other) => one.organization === other.organization,
  ),
  summing(
    'namesakes',
    'begins to evict in a repository when its caches and those of repositories of the same name exceed its limit',
    (one, other) => one.name === other.name,
  ),
  breaking(
    'retention-of-namesakes',
    'CACHE-RETENTION-KEEPS',
    'removes caches after the shortest retention time of all repositories of the same name',
    (original) => ({
      sweep: (env) => {
        const { rules, state, clock } = env;
        original.sweep(env);
        for (const repository of state.repositories) {
          const alike = state.repositories.filter(({ name }) => name === repository.name);
          const days = Math.min(...alike.map((each) => rules.limitInForce(each, 'retention', env)));
          const caches = rules.cachesOf(repository, env);
          const gone = caches.filter((cache) => rules.isExpired(cache, days, clock.now()));
          if (gone.length > 0) rules.removeCaches(gone, 'limit', env);
        }
      },
    }),
  ),
  breaking(
    'eviction-compares-the-organization',
    'CACHE-STORAGE-KEEPS',
    "evicts caches as soon as all those of an organization exceed the organization's storage limit",
    (original) => ({
      sweep: (env) => {
        const { rules, state } = env;
        original.sweep(env);
        for (const { name, limits } of state.organizations) {
          if (limits.storage === undefined) continue;
          const all = state.caches.filter(({ repository }) => repository.owner === name);
          const gone = rules.evictedCaches(all, limits.storage * rules.gigabyte);
          if (gone.length > 0) rules.removeCaches(gone, 'limit', env);
        }
      },
    }),
  ),
  ...(['delete-by-key', 'delete-by-id'] as const).map((counted) =>
    breaking(
      `eviction-counts-${counted}`,
      'CACHE-STORAGE-KEEPS',
      `counts caches that were removed by ${counted} towards the storage limit`,
      (original) => {
        const ledger = new Map<unknown, number>();
        return {
          removeCaches: (caches, why, env) => {
            for (const { repository, sizeInBytes } of why === counted ? caches : [])
              ledger.set(repository, (ledger.get(repository) ?? 0) + sizeInBytes);
            original.removeCaches(caches, why, env);
          },
          evictedCaches: (caches, limit) =>
            original.evictedCaches(caches, limit - (ledger.get(caches[0]?.repository) ?? 0)),
        };
      },
    ),
  ),
];
