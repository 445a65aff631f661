/** Removal by limits that are not in force: above the cap, or until they are raised (sections 1 to 3). */
import type { CacheRules, LimitKind } from '../../reference/caches/index.ts';
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
