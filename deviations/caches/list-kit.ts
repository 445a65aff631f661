/** What deviations of the list of caches (section 4, endpoint 16) are made of. */
import type { Cache, CacheRules, Env, ListQuery } from '../../reference/caches/index.ts';
import type { Changed } from './kit.ts';

/** Whether the whole list is asked for. */
export const isPlain = ({ key, ref }: ListQuery): boolean => !key && !ref;

/** Filters in another way. */
export const selecting =
  (select: (right: Cache[], all: Cache[], query: ListQuery, env: Env) => Cache[]) =>
  (original: CacheRules): Changed => ({
    selectCaches: (caches, query, env) =>
      select(original.selectCaches(caches, query, env), caches, query, env),
  });
