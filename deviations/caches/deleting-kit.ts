/** Shared parts of the deviations of deletions by key (section 4, endpoint 17). */
import type { Cache, CacheRules, DeletionQuery, Env, Repository } from '../../reference/caches/index.ts';
import type { Changed } from './kit.ts';

/** Replaces the choice of the caches to delete. `choose` gets the correct choice as `right`. */
export const choosing =
  (choose: (right: Cache[], repository: Repository, query: DeletionQuery, env: Env) => Cache[]) =>
  (original: CacheRules): Changed => ({
    cachesToDelete: (repository, query, env) =>
      choose(original.cachesToDelete(repository, query, env), repository, query, env),
  });

/** All existing caches. */
export const all = (env: Env): Cache[] => env.state.caches;

/** All caches of a repository. */
export const here = (repository: Repository, env: Env): Cache[] =>
  all(env).filter((cache) => cache.repository === repository);
