/**
 * Answers that are wrong only with a filter or an order, and lists that hide caches (endpoints 10, 15 and 16).
 */
import type { Cache, CacheRules, ListQuery } from '../../reference/caches/index.ts';
import { changeAnswers, withBody } from '../kit/answers.ts';
import { asksFor, breaking, type CacheDeviation, type Changed } from './kit.ts';

/** An entry as an answer shows it. */
type Entry = Record<string, unknown>;

/**
 * Returns a filter that changes each entry in the answers to requests of one operation.
 * @param which chooses the requests by their query
 */
export const changingEntries = (
  operation: 'list' | 'delete-by-key',
  which: (query: URLSearchParams) => boolean,
  change: (entry: Entry) => void,
): CacheDeviation['wrap'] => {
  const isAsked = asksFor([operation]);
  return changeAnswers(
    (request) => isAsked(request) && which(request.url.searchParams),
    (response) =>
      withBody(response, (body) => {
        for (const entry of (body as { actions_caches?: Entry[] }).actions_caches ?? []) change(entry);
        return body;
      }),
  );
};

const entries: CacheDeviation[] = [
  {
    id: 'entry-of-list-by-key-without-version',
    breaks: ['CACHE-ENTRY-VERSION'],
    sentence: 'leaves out the version of the entries of a list with key',
    wrap: changingEntries(
      'list',
      (query) => query.has('key'),
      (entry) => delete entry.version,
    ),
  },
  {
    id: 'entry-of-list-by-ref-with-short-ref',
    breaks: ['CACHE-ENTRY-REF'],
    sentence: 'shortens the references of the entries of a list with ref',
    wrap: changingEntries(
      'list',
      (query) => query.has('ref'),
      (entry) => {
        entry.ref = String(entry.ref).replace(/^refs\/(heads|pull)\//, '');
      },
    ),
  },
  {
    id: 'entry-of-sorted-list-with-size-as-text',
    breaks: ['CACHE-ENTRY-SIZE-IN-BYTES'],
    sentence: 'writes the sizes of the entries of a list with sort as text',
    wrap: changingEntries(
      'list',
      (query) => query.has('sort'),
      (entry) => {
        entry.size_in_bytes = String(entry.size_in_bytes);
      },
    ),
  },
];

const lists: CacheDeviation[] = [
  breaking(
    'list-later-pages-turned-inside',
    'CACHE-LIST-SORT-PAGES',
    'turns round the entries between the first and the last of each page after the first',
    (original) => ({
      arrangeCaches: (all, query, env) => {
        const page = original.arrangeCaches(all, query, env);
        if (original.readPage(query.page, 'list') === 1) return page;
        const { items } = page;
        return {
          ...page,
          items: [...items.slice(0, 1), ...items.slice(1, -1).reverse(), ...items.slice(1).slice(-1)],
        };
      },
    }),
    ['CACHE-LIST-FILTER-SORT'],
  ),
  breaking(
    'list-total-of-sorted-page',
    'CACHE-LIST-TOTAL',
    'counts only the entries of the page where sort is given',
    (original) => ({
      arrangeCaches: (all, query, env) => {
        const page = original.arrangeCaches(all, query, env);
        return query.sort && !query.key && !query.ref ? { ...page, total: page.items.length } : page;
      },
    }),
  ),
  breaking(
    'list-hides-the-same-version-made-again',
    'CACHE-LIST-COMPLETE',
    'does not list a cache with the key, reference and version of one that was deleted',
    (original) => {
      const deleted = new Set<string>();
      const nameOf = ({ key, ref, version }: { key: string; ref: string; version: string }) =>
        JSON.stringify([key, ref, version]);
      return {
        removeCaches: (caches, why, env) => {
          original.removeCaches(caches, why, env);
          for (const cache of caches) deleted.add(nameOf(cache));
        },
        arrangeCaches: (all, query, env) =>
          original.arrangeCaches(
            all.filter((cache) => !deleted.has(nameOf(cache))),
            query,
            env,
          ),
      };
    },
  ),
];

const isFiltered = ({ key, ref }: ListQuery): boolean => Boolean(key || ref);

/** Arranges the lists for whose query `which` holds as if it were another one. */
const asIf =
  (which: (query: ListQuery) => boolean, change: (query: ListQuery) => Partial<ListQuery>) =>
  (original: CacheRules): Changed => ({
    arrangeCaches: (all, query, env) =>
      original.arrangeCaches(all, which(query) ? { ...query, ...change(query) } : query, env),
  });

const queries: CacheDeviation[] = [
  breaking(
    'list-by-ref-in-order-of-creation',
    'CACHE-LIST-SORT-DEFAULT',
    'lists in the order of creation where ref is given and neither key nor sort',
    asIf(
      ({ key, ref, sort }) => Boolean(ref && !key && !sort),
      () => ({ sort: 'created_at' }),
    ),
  ),
  breaking(
    'filtered-list-ascending',
    'CACHE-LIST-DIRECTION-DEFAULT',
    'sorts ascending where a filter and sort are given, and no direction',
    asIf(
      (query) => isFiltered(query) && query.sort !== undefined && query.direction === undefined,
      () => ({ direction: 'asc' }),
    ),
  ),
  breaking(
    'filtered-list-later-pages-in-default-order',
    'CACHE-LIST-FILTER-SORT',
    'follows sort and direction only on the first page of a list with a filter',
    asIf(
      (query) => isFiltered(query) && Number(query.page) > 1,
      () => ({ sort: 'last_accessed_at', direction: 'desc' }),
    ),
  ),
  breaking(
    'filtered-list-of-fifty',
    'CACHE-LIST-PER-PAGE-DEFAULT',
    'has fifty entries on a page of a list with a filter, where per_page is not given',
    asIf(
      (query) => isFiltered(query) && query.per_page === undefined,
      () => ({ per_page: '50' }),
    ),
  ),
  ...(['key-and-ref', 'key-ref-and-sort'] as const).map((name) =>
    breaking(
      `list-of-twenty-by-${name}`,
      'CACHE-LIST-PER-PAGE-DEFAULT',
      `has twenty entries on a page of a list with ${name.replaceAll('-', ' ')}, where per_page is not given`,
      asIf(
        ({ key, ref, sort, per_page }) =>
          Boolean(key && ref && (sort || name === 'key-and-ref')) && per_page === undefined,
        () => ({ per_page: '20' }),
      ),
    ),
  ),
  ...(['sort', 'direction'] as const).map((name) =>
    breaking(
      `list-ref-ignored-with-${name}`,
      'CACHE-LIST-REF-EXACT',
      `ignores ref where ${name} is given, and no key`,
      asIf(
        ({ key, ref, [name]: order }) => Boolean(ref && order && !key),
        () => ({ ref: undefined }),
      ),
      ['CACHE-LIST-TOTAL-FILTERED', 'CACHE-LIST-FILTER-SORT'],
    ),
  ),
];

const deletions: CacheDeviation[] = [
  breaking(
    'deletion-by-ref-of-one-page',
    'CACHE-DELETE-REF-MATCH',
    'deletes a hundred caches at most where ref is given',
    (original) => ({
      cachesToDelete: (repository, query, env) => {
        const all = original.cachesToDelete(repository, query, env);
        return query.ref ? all.slice(0, 100) : all;
      },
    }),
  ),
  breaking(
    'deletion-answers-what-was-deleted-by-id',
    'CACHE-DELETE-KEY-ANSWER',
    'lists in the answer to a deletion by key also caches with that key that were deleted by id before',
    (original) => {
      const byId: Cache[] = [];
      return {
        removeCaches: (caches, why, env) => {
          original.removeCaches(caches, why, env);
          if (why === 'delete-by-id') byId.push(...caches);
        },
        reportDeleted: (deleted, repository, env) => [
          ...byId.filter(
            (cache) => cache.repository === repository && deleted.some(({ key }) => key === cache.key),
          ),
          ...original.reportDeleted(deleted, repository, env),
        ],
      };
    },
  ),
];

export const otherListDeviations: CacheDeviation[] = [...entries, ...lists, ...queries, ...deletions];
