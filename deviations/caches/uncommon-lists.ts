/**
 * Lists that are wrong only in uncommon cases: with both filters, on later pages, with long keys (endpoint
 * 16).
 */
import type { Cache, CacheRules, Env, ListQuery, Page } from '../../reference/caches/index.ts';
import { changeAnswers, withBody } from '../kit/answers.ts';
import { breaking, type CacheDeviation, type Changed } from './kit.ts';
import { LIST } from './surface.ts';

type Arrange = (all: Cache[], query: ListQuery, env: Env, original: CacheRules) => Page<Cache>;

/** Replaces the arrangement of a list: filtering, sorting and paging. */
const arranging =
  (arrange: Arrange) =>
  (original: CacheRules): Changed => ({
    arrangeCaches: (all, query, env) => arrange(all, query, env, original),
  });

/** Arranges a list as if its query were another one. */
const asIf = (change: (query: ListQuery) => ListQuery) =>
  arranging((all, query, env, original) => original.arrangeCaches(all, change(query), env));

const isLater = ({ page }: ListQuery): boolean => Number(page) > 1;

/** Percent-decodes a text once more; returns it unchanged where that is not possible. */
export function decodedAgain(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** How many characters of a key an index column holds. */
const COLUMN = 64;

const filters: CacheDeviation[] = [
  breaking(
    'list-key-column-too-short',
    'CACHE-LIST-KEY-LONG',
    `compares the first ${COLUMN} characters of a key only`,
    (original) => ({ matchesKey: (asked, key) => original.matchesKey(asked.slice(0, COLUMN), key) }),
  ),
  breaking('list-key-trimmed', 'CACHE-LIST-KEY-BLANK', 'trims the key of a list', (original) => ({
    matchesKey: (asked, key) => original.matchesKey(asked.trim(), key),
  })),
  breaking(
    'list-key-normalised',
    'CACHE-LIST-KEY-COMPOSED',
    'compares the keys of lists in their composed form',
    (original) => ({
      matchesKey: (asked, key) => original.matchesKey(asked.normalize('NFC'), key.normalize('NFC')),
    }),
  ),
  breaking(
    'list-ref-decoded-twice',
    'CACHE-LIST-REF-DECODED',
    'percent-decodes the ref of a list twice',
    (original) => ({ matchesRef: (asked, ref) => original.matchesRef(decodedAgain(asked), ref) }),
  ),
  breaking(
    'list-ref-plus-is-space',
    'CACHE-LIST-REF-DECODED',
    'reads an encoded plus sign in the ref of a list as a space',
    (original) => ({ matchesRef: (asked, ref) => original.matchesRef(asked.replaceAll('+', ' '), ref) }),
  ),
  breaking(
    'list-ref-pull-by-number',
    'CACHE-LIST-REF-EXACT',
    'finds every reference of a pull request by its number, whatever comes after it',
    (original) => ({
      matchesRef: (asked, ref) =>
        original.matchesRef(asked, ref) ||
        (asked.startsWith('refs/pull/') && ref === asked.replace(/merge$/, 'head')),
    }),
  ),
  breaking(
    'list-ref-dropped-on-later-pages',
    'CACHE-LIST-FILTER-PAGES',
    'ignores the ref from the second page of a list on',
    asIf((query) => {
      if (!isLater(query)) return query;
      const { ref: _ref, ...rest } = query;
      return rest;
    }),
    ['CACHE-LIST-TOTAL-FILTERED'],
  ),
  breaking(
    'list-total-of-key-with-ref',
    'CACHE-LIST-TOTAL-FILTERED',
    'counts every cache that matches the key where ref is given as well',
    arranging((all, query, env, original) => {
      const page = original.arrangeCaches(all, query, env);
      const { key, ref } = query;
      return key && ref ? { ...page, total: original.selectCaches(all, { key }, env).length } : page;
    }),
    ['CACHE-LIST-AFTER-DELETION'],
  ),
  breaking(
    'list-total-of-later-page',
    'CACHE-LIST-TOTAL-FILTERED',
    'counts only the entries of the page from the second page of a list filtered by key on',
    arranging((all, query, env, original) => {
      const page = original.arrangeCaches(all, query, env);
      return query.key && isLater(query) ? { ...page, total: page.items.length } : page;
    }),
  ),
];

const orders: CacheDeviation[] = [
  breaking(
    'list-ref-unsorted',
    'CACHE-LIST-FILTER-SORT',
    'ignores sort and direction where ref is given',
    asIf(({ sort, direction, ...rest }) =>
      rest.ref ? rest : { ...rest, ...(sort && { sort }), ...(direction && { direction }) },
    ),
  ),
  breaking(
    'list-created-turned-on-later-pages',
    'CACHE-LIST-SORT-PAGES',
    'sorts the second page of created_at asc the other way round',
    asIf((query) =>
      isLater(query) && query.sort === 'created_at' ? { ...query, direction: 'desc' } : query,
    ),
  ),
  breaking(
    'list-filtered-by-id',
    'CACHE-LIST-SORT-DEFAULT',
    'lists in the order of creation where key is given and no sort',
    (original) => ({
      sortCaches: (caches, query, env) =>
        query.key && !query.sort ? [...caches] : original.sortCaches(caches, query, env),
    }),
  ),
  breaking(
    'list-size-sorted-in-32-bits',
    'CACHE-LIST-SORT-SIZE-DESC',
    'sorts by 32 bits of the size',
    (original) => ({
      compareCaches: (a, b, field, env) =>
        field === 'size_in_bytes'
          ? (a.sizeInBytes >>> 0) - (b.sizeInBytes >>> 0)
          : original.compareCaches(a, b, field, env),
    }),
  ),
  breaking(
    'list-size-sorted-in-32-bits-signed',
    'CACHE-LIST-SORT-SIZE-DESC',
    'sorts by 32 bits of the size, the first of which is the sign',
    (original) => ({
      compareCaches: (a, b, field, env) =>
        field === 'size_in_bytes'
          ? (a.sizeInBytes | 0) - (b.sizeInBytes | 0)
          : original.compareCaches(a, b, field, env),
    }),
  ),
  breaking(
    'list-default-pages-overlap',
    'CACHE-LIST-PAGE',
    'uses an offset of 25 for each page of 30',
    (original) => ({
      slicePage: (items, page, perPage, operation) =>
        operation === 'list' && perPage === 30 && page > 1
          ? items.slice((page - 1) * 25, (page - 1) * 25 + 30)
          : original.slicePage(items, page, perPage, operation),
    }),
  ),
  breaking(
    'list-second-page-of-default-size',
    ['CACHE-LIST-PER-PAGE-DEFAULT', 'CACHE-LIST-PAGE'],
    'uses a default page size of ten from the second page on',
    (original) => ({
      arrangeCaches: (all, query, env) =>
        original.arrangeCaches(
          all,
          isLater(query) && query.per_page === undefined ? { ...query, per_page: '10' } : query,
          env,
        ),
    }),
    ['CACHE-LIST-PAGE', 'CACHE-ADVISED-LINK'],
  ),
];

const ids: CacheDeviation[] = [
  {
    id: 'list-ids-in-32-bits',
    breaks: ['CACHE-ENTRY-ID-VALUE'],
    sentence: 'cuts the ids of a list to 32 bits',
    wrap: changeAnswers(
      ({ method, url }) => method === 'GET' && LIST.test(url.pathname),
      (response) => withBody(response, (body) => changeIds(body, (id) => id % 2 ** 32)),
    ),
  },
  {
    id: 'deletion-answers-another-id',
    breaks: ['CACHE-ENTRY-ID-VALUE'],
    sentence: 'gives the ids of another table in the answer to a deletion by key',
    wrap: changeAnswers(
      ({ method, url }) => method === 'DELETE' && LIST.test(url.pathname),
      (response) => withBody(response, (body) => changeIds(body, (id) => id + 1)),
    ),
  },
];

/** Changes the ids in a list, where the body is one. */
function changeIds(body: unknown, change: (id: number) => number): unknown {
  const { actions_caches: entries } = body as { actions_caches?: { id: number }[] };
  for (const entry of entries ?? []) entry.id = change(entry.id);
  return body;
}

export const uncommonListDeviations: CacheDeviation[] = [...filters, ...orders, ...ids];
