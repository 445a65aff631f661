/**
 * Lists with unknown sort fields, equal sort values, and keys and references with several interpretations.
 */
import { type Cache, Refusal } from '../../../reference/caches/index.ts';
import { occupied } from '../../caches/occupied.ts';
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

/** Returns a key as a target stores it that trims keys, and that has three bytes of UTF-8 for a character. */
const stored = (key: string): string => key.trim().replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\ufffd');

/** Throws a `Refusal` unless a reference is that of a branch or a pull request, of which there are examples. */
function requireExample(ref: string | undefined): void {
  if (ref && !/^refs\/(heads\/.|pull\/\d+\/)/.test(ref)) throw new Refusal('malformed');
}

/** Makes no caches with some keys, since no workflow could either. */
const refusing = (id: string, sentence: string, isRefused: (key: string) => boolean): CacheVariant => ({
  id: `keys-${id}-are-not-made`,
  fills: ['CACHE-SILENCE-LIST-KEY-EXACT-AND-PREFIX'],
  sentence,
  rules: (original) => ({
    seededTimes: (cache, now) => {
      if (isRefused(cache.key)) throw new TypeError('no workflow makes caches with such keys');
      return original.seededTimes(cache, now);
    },
  }),
});

export const listVariants: CacheVariant[] = [
  ...[12, 130].map((count) => ({
    id: `occupied-by-${count}`,
    fills: [],
    sentence: `has ${count} caches in the repository before the first request`,
    ...occupied(count),
  })),
  refusing(
    'with-a-comma',
    'makes caches neither with commas in their keys nor with long keys',
    (key) => /,/.test(key) || key.length > 200,
  ),
  refusing(
    'of-other-characters',
    'makes only caches whose keys are of letters without accents, digits, dots, hyphens and underscores',
    (key) => /[^\w.-]/.test(key),
  ),
  {
    id: 'references-of-tags-refused',
    fills: ['CACHE-SILENCE-LIST-REF-SHORT'],
    sentence: 'refuses a ref that is neither of a branch nor of a pull request, in lists and in deletions',
    rules: (original) => ({
      selectCaches: (caches, query, env) => {
        requireExample(query.ref);
        return original.selectCaches(caches, query, env);
      },
      cachesToDelete: (repository, query, env) => {
        requireExample(query.ref);
        return original.cachesToDelete(repository, query, env);
      },
    }),
  },
  {
    id: 'keys-stored-trimmed',
    fills: ['CACHE-SILENCE-LIST-KEY-EMPTY'],
    sentence: 'stores keys without blanks around them and without emoji, and reads them so in queries',
    rules: (original) => ({
      seededTimes: (cache, now) => {
        const key = stored(cache.key);
        return { ...original.seededTimes(cache, now), key };
      },
      matchesKey: (asked, key) => original.matchesKey(stored(asked), key),
      deletesKey: (asked, key) => original.deletesKey(stored(asked), key),
    }),
  },
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
