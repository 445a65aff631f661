/** Shared parts of the deviations of the list of caches (section 4, endpoint 16). */
import type { Cache, CacheRules, Env, ListQuery } from '../../reference/caches/index.ts';
import type { Changed } from './kit.ts';

/** Whether the list is requested without filters. */
export const isPlain = ({ key, ref }: ListQuery): boolean => !key && !ref;

/** Replaces the filtering of the list; `select` gets the correctly filtered caches as `right`. */
export const selecting =
  (select: (right: Cache[], all: Cache[], query: ListQuery, env: Env) => Cache[]) =>
  (original: CacheRules): Changed => ({
    selectCaches: (caches, query, env) =>
      select(original.selectCaches(caches, query, env), caches, query, env),
  });
