/** Pages of the list of caches (section 4, endpoint 16, per_page and page). */
import { breaking, type CacheDeviation } from './kit.ts';
import { cutting, hundredIsTooMuch, paging, pagingDeviations, perPage } from './paging.ts';

/** Further requirements that fail where pages overlap or leave gaps, since their checks read whole lists. */
const CUT = [
  'CACHE-LIST-*',
  'CACHE-DELETE-*',
  'CACHE-PERM-DELETE-*',
  'CACHE-AUTH-DELETE-*',
  'CACHE-ANON-DELETE-PUBLIC',
  'CACHE-CASE-*',
  'CACHE-REPO-USAGE-*',
];

export const listPageDeviations: CacheDeviation[] = [
  ...pagingDeviations({
    on: 'list',
    name: 'list',
    item: 'cache',
    items: 'caches',
    where: 'when it lists',
    subject: '',
    cut: CUT,
    defaults: [
      [20, 'twenty', 'twenty'],
      [100, 'hundred', 'a hundred'],
      [29, '29', '29'],
    ],
    lowMaxima: [99, 50],
  }),
  breaking(
    'list-per-page-one-more',
    'CACHE-LIST-PER-PAGE',
    'puts one cache more on a page than asked',
    cutting('list', (items, page, size) => items.slice((page - 1) * size, page * size + (size < 30 ? 1 : 0))),
    ['CACHE-LIST-PAGE'],
  ),
  breaking(
    'list-maximum-500',
    'CACHE-LIST-PER-PAGE-MAX',
    'puts up to 500 caches on a page',
    perPage('list', (raw, usual) => (Number(raw) > 500 ? 500 : usual)),
  ),
  ...(['sort', 'key', 'ref'] as const).map((name) =>
    breaking(
      `list-no-maximum-with-${name}`,
      'CACHE-LIST-PER-PAGE-MAX',
      `puts as many caches on a page as asked where ${name} is sent`,
      (original) => ({
        arrangeCaches: (caches, query, env) =>
          original.arrangeCaches(
            caches,
            query,
            query[name] ? { ...env, rules: { ...env.rules, maxPerPage: 1_000_000 } } : env,
          ),
      }),
    ),
  ),
  breaking(
    'list-below-hundred',
    'CACHE-LIST-PER-PAGE-HUNDRED',
    'treats per_page 100 as too large',
    perPage('list', hundredIsTooMuch),
  ),
  breaking(
    'list-page-offset-not-multiplied',
    'CACHE-LIST-PAGE',
    'treats the page number as an offset',
    cutting('list', (items, page, size) => items.slice(page - 1, page - 1 + size)),
    CUT,
  ),
  breaking(
    'list-page-third-again',
    'CACHE-LIST-PAGE',
    'returns the second page for every later one',
    paging('list', (_raw, usual) => Math.min(2, usual)),
    CUT,
  ),
  breaking(
    'list-page-default-last',
    'CACHE-LIST-PAGE-DEFAULT',
    'returns the last page when per_page is sent and page is not',
    (original) => ({
      arrangeCaches: (all, query, env) => {
        if (query.page !== undefined || query.per_page === undefined)
          return original.arrangeCaches(all, query, env);
        const pageCount = Math.max(1, Math.ceil(all.length / Number(query.per_page)));
        return original.arrangeCaches(all, { ...query, page: String(pageCount) }, env);
      },
    }),
    CUT,
  ),
];
