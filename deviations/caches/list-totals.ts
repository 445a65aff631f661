/**
 * What `total_count` counts, and which caches the pages of a filtered list are made from (sections 2 and 4,
 * endpoint 16).
 */
import { breaking, type CacheDeviation } from './kit.ts';
import { isPlain, selecting } from './list-kit.ts';

const totals: CacheDeviation[] = [
  breaking(
    'list-total-of-page',
    'CACHE-LIST-TOTAL',
    'counts only the caches on the page',
    () => ({ countCaches: (_matching, page) => page.length }),
    ['CACHE-LIST-TOTAL-FILTERED'],
  ),
  breaking(
    'list-total-at-most-hundred',
    'CACHE-LIST-TOTAL',
    'counts up to a hundred',
    () => ({ countCaches: (matching) => Math.min(100, matching.length) }),
    ['CACHE-LIST-AFTER-DELETION'],
  ),
  breaking(
    'list-total-one-more',
    'CACHE-LIST-TOTAL',
    'counts one cache too many where there is more than one page',
    () => ({ countCaches: (matching, page) => matching.length + (page.length < matching.length ? 1 : 0) }),
    ['CACHE-LIST-TOTAL-FILTERED'],
  ),
  breaking(
    'list-total-rest',
    'CACHE-LIST-TOTAL',
    'counts only the caches from the requested page on',
    (original) => ({
      arrangeCaches: (all, query, env) => {
        const page = original.arrangeCaches(all, query, env);
        return {
          ...page,
          total:
            page.total -
            (original.readPage(query.page, 'list') - 1) * original.readPerPage(query.per_page, 'list', env),
        };
      },
    }),
    ['CACHE-LIST-PAGE', 'CACHE-LIST-COMPLETE', 'CACHE-LIST-FILTER-PAGES', 'CACHE-LIST-TOTAL-FIELD'],
  ),
  breaking(
    'list-total-before-filter',
    'CACHE-LIST-TOTAL-FILTERED',
    'counts the caches before it filters',
    () => ({ countCaches: (_matching, _page, all) => all.length }),
    ['CACHE-LIST-EMPTY'],
  ),
  breaking(
    'list-total-of-filtered-page',
    'CACHE-LIST-TOTAL-FILTERED',
    'counts the page where there is a filter',
    () => ({
      countCaches: (matching, page, all) => (matching.length < all.length ? page.length : matching.length),
    }),
  ),
];

const filteredPages: CacheDeviation[] = [
  breaking(
    'list-cut-before-filter',
    'CACHE-LIST-FILTER-PAGES',
    'cuts the page before it filters',
    (original) => ({
      arrangeCaches: (all, query, env) => {
        const size = original.readPerPage(query.per_page, 'list', env);
        if (isPlain(query) || query.per_page === '100' || query.page === undefined)
          return original.arrangeCaches(all, query, env);
        const page = original.slicePage(
          original.sortCaches(all, query, env),
          original.readPage(query.page, 'list'),
          size,
          'list',
        );
        return {
          items: original.selectCaches(page, query, env),
          total: original.selectCaches(all, query, env).length,
        };
      },
    }),
  ),
  breaking(
    'list-filter-forgets-page',
    'CACHE-LIST-FILTER-PAGES',
    'gives the first page of a filtered list whichever is asked for',
    (original) => ({
      arrangeCaches: (all, query, env) =>
        original.arrangeCaches(all, isPlain(query) ? query : { ...query, page: '1' }, env),
    }),
    ['CACHE-LIST-FILTER-SORT'],
  ),
  breaking(
    'list-filter-on-first-page-only',
    'CACHE-LIST-FILTER-PAGES',
    'filters the first page only',
    selecting((right, all, query) => (query.page === undefined || query.page === '1' ? right : all)),
    ['CACHE-LIST-TOTAL-FILTERED'],
  ),
];

export const listTotalDeviations: CacheDeviation[] = [...totals, ...filteredPages];
