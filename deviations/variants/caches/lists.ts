/**
 * Lists with unknown sort fields, equal sort values, and keys and references with several interpretations.
 */
import type { Cache } from '../../../reference/caches/index.ts';
import { type CacheVariant, refusedQuery } from './kit.ts';

/** Puts caches with equal sort values in another order. */
const ties = (id: string, sentence: string, compare: (a: Cache, b: Cache) => number): CacheVariant => ({
  id: `ties-${id}`,
  fills: ['CACHE-SILENCE-LIST-TIES'],
  sentence,
  rules: (original) => ({
    sortCaches: (caches, query, env) => original.sortCaches([...caches].sort(compare), query, env),
  }),
});

export const listVariants: CacheVariant[] = [
  refusedQuery(
    'sort-invalid-refused',
    ['CACHE-SILENCE-LIST-SORT-INVALID'],
    'refuses an unknown sort or direction',
    ({ sort, direction }) =>
      (sort !== undefined && !['created_at', 'last_accessed_at', 'size_in_bytes'].includes(sort)) ||
      (direction !== undefined && !['asc', 'desc'].includes(direction)),
  ),
  ties('newest-first', 'puts the newest of equal caches first', (a, b) => b.id - a.id),
  ties('by-key', 'sorts equal caches by their keys', (a, b) => (a.key < b.key ? -1 : 1)),
  {
    id: 'whole-key-lists-itself-only',
    fills: ['CACHE-SILENCE-LIST-KEY-EXACT-AND-PREFIX'],
    sentence: 'lists only the caches with the key where there is one that is equal to it',
    rules: (original) => ({
      selectCaches: (caches, query, env) => {
        const { key } = query;
        const exact = key === undefined ? [] : caches.filter((cache) => cache.key === key);
        return original.selectCaches(exact.length > 0 ? exact : caches, query, env);
      },
    }),
  },
  {
    id: 'ids-below-zero',
    fills: [],
    sentence: 'gives caches ids below zero',
    rules: (original) => {
      let isMoved = false;
      return {
        locate: (parameters, operation, env) => {
          if (!isMoved) env.state.lastId = -1_000_000;
          isMoved = true;
          return original.locate(parameters, operation, env);
        },
      };
    },
  },
  {
    id: 'empty-key-lists-nothing',
    fills: ['CACHE-SILENCE-LIST-KEY-EMPTY'],
    sentence: 'lists nothing for an empty key',
    rules: (original) => ({
      arrangeCaches: (all, query, env) => original.arrangeCaches(query.key === '' ? [] : all, query, env),
    }),
  },
  refusedQuery(
    'empty-key-refused',
    ['CACHE-SILENCE-LIST-KEY-EMPTY'],
    'refuses an empty key',
    ({ key }) => key === '',
  ),
  {
    id: 'short-ref',
    fills: ['CACHE-SILENCE-LIST-REF-SHORT'],
    sentence: 'accepts a bare branch name as ref',
    rules: (original) => ({
      matchesRef: (asked, ref) =>
        original.matchesRef(asked.startsWith('refs/') ? asked : `refs/heads/${asked}`, ref),
    }),
  },
  refusedQuery(
    'short-ref-refused',
    ['CACHE-SILENCE-LIST-REF-SHORT'],
    'refuses a reference that is not full',
    ({ ref }) => ref !== undefined && !ref.startsWith('refs/'),
  ),
];
