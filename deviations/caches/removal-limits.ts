/** Removal by limits that are not in force: above the cap, or until they are raised (sections 1 to 3). */
import type { CacheRules, LimitKind, Repository } from '../../reference/caches/index.ts';
import { breaking, type CacheDeviation } from './kit.ts';

/** Enforces what a repository has set itself for a kind of limit, even where a level above has less. */
const uncapped = (kind: LimitKind): CacheDeviation =>
  breaking(
    `${kind}-enforced-without-the-levels-above`,
    `CACHE-${kind.toUpperCase()}-INHERITED-APPLIES`,
    `enforces the ${kind} limit that a repository has set, even where its organization was lowered below it`,
    (original) => ({
      sweep: (env) => {
        const { rules } = env;
        const limitInForce: CacheRules['limitInForce'] = (scope, asked, given) =>
          (scope.level === 'repository' && asked === kind ? scope.limits[kind] : undefined) ??
          rules.limitInForce(scope, asked, given);
        original.sweep({ ...env, rules: { ...rules, limitInForce } });
      },
    }),
  );

export const removalLimitDeviations: CacheDeviation[] = [
  uncapped('retention'),
  uncapped('storage'),
  breaking(
    'eviction-beside',
    'CACHE-STORAGE-KEEPS',
    'evicts the oldest cache of each other repository of an organization too, where one exceeds its storage limit',
    (original) => ({
      sweep: (env) => {
        const { rules, state } = env;
        const isOver = (repository: Repository) =>
          rules.evictedCaches(
            rules.cachesOf(repository, env),
            rules.limitInForce(repository, 'storage', env) * rules.gigabyte,
          ).length > 0;
        const over = state.repositories.filter(isOver);
        original.sweep(env);
        for (const repository of state.repositories) {
          if (!over.some((each) => each !== repository && each.owner === repository.owner)) continue;
          const oldest = [...rules.cachesOf(repository, env)].sort(
            (a, b) => a.lastAccessedAt - b.lastAccessedAt,
          );
          if (oldest.length > 0) rules.removeCaches(oldest.slice(0, 1), 'limit', env);
        }
      },
    }),
    ['CACHE-STORAGE-*', 'CACHE-RETENTION-*'],
  ),
  breaking(
    'retention-hides',
    'CACHE-RETENTION-REPO-APPLIES',
    'hides what is too old, and shows it again once the retention limit is raised',
    (original) => ({
      cachesOf: (repository, env) => {
        const days = env.rules.limitInForce(repository, 'retention', env);
        return original
          .cachesOf(repository, env)
          .filter((cache) => !original.isExpired(cache, days, env.clock.now()));
      },
      isExpired: () => false,
    }),
  ),
];
