/** Pages out of range, and links between them. */
import { Refusal } from '../../../reference/caches/index.ts';
import { type CacheVariant, refusedQuery } from './kit.ts';

const isPositive = (raw: string): boolean => /^[1-9]\d{0,8}$/.test(raw);

export const pageVariants: CacheVariant[] = [
  {
    id: 'per-page-above-maximum-is-default',
    fills: ['CACHE-SILENCE-PER-PAGE-ABOVE-MAX'],
    sentence: 'uses the default where per_page is above the maximum',
    rules: (original) => ({
      readPerPage: (raw, operation, env) =>
        Number(raw) > 100 ? 30 : original.readPerPage(raw, operation, env),
    }),
  },
  refusedQuery(
    'per-page-above-maximum-refused',
    ['CACHE-SILENCE-PER-PAGE-ABOVE-MAX'],
    'refuses per_page above 100',
    ({ per_page }) => Number(per_page) > 100,
  ),
  refusedQuery(
    'per-page-invalid-refused',
    ['CACHE-SILENCE-PER-PAGE-INVALID'],
    'refuses a per_page that is not a positive number',
    ({ per_page }) => per_page !== undefined && !isPositive(per_page),
  ),
  {
    id: 'per-page-zero-is-one',
    fills: ['CACHE-SILENCE-PER-PAGE-INVALID'],
    sentence: 'treats per_page 0 as 1 and text as 100',
    rules: (original) => ({
      readPerPage: (raw, operation, env) => {
        if (raw === '0') return 1;
        return raw !== undefined && Number.isNaN(Number(raw))
          ? 100
          : original.readPerPage(raw, operation, env);
      },
    }),
  },
  refusedQuery(
    'page-invalid-refused',
    ['CACHE-SILENCE-PAGE-INVALID'],
    'refuses a page that is not a positive number',
    ({ page }) => page !== undefined && !isPositive(page),
  ),
  {
    id: 'page-past-end-is-last',
    fills: ['CACHE-SILENCE-PAGE-PAST-END'],
    sentence: 'returns the last page for a page past the end',
    rules: (original) => ({
      slicePage: (items, page, perPage, operation) =>
        original.slicePage(
          items,
          Math.min(page, Math.max(1, Math.ceil(items.length / perPage))),
          perPage,
          operation,
        ),
    }),
  },
  {
    id: 'page-past-end-is-first',
    fills: ['CACHE-SILENCE-PAGE-PAST-END'],
    sentence: 'returns the first page for a page past the end',
    rules: (original) => ({
      slicePage: (items, page, perPage, operation) =>
        original.slicePage(items, (page - 1) * perPage < items.length ? page : 1, perPage, operation),
    }),
  },
  {
    id: 'page-past-end-is-unknown',
    fills: ['CACHE-SILENCE-PAGE-PAST-END'],
    sentence: 'answers 404 for a page past the end',
    rules: (original) => ({
      slicePage: (items, page, perPage, operation) => {
        if (page > 1 && (page - 1) * perPage >= items.length) throw new Refusal('unknown');
        return original.slicePage(items, page, perPage, operation);
      },
    }),
  },
  {
    id: 'no-link',
    fills: ['CACHE-SILENCE-LINK'],
    sentence: 'sends no Link',
    rules: () => ({ linkHeader: () => undefined }),
  },
  {
    id: 'link-next-only',
    fills: ['CACHE-SILENCE-LINK'],
    sentence: 'sends a Link with the next page and no other',
    rules: () => ({
      linkHeader: ({ url, page, perPage, total }) => {
        if (page * perPage >= total) return undefined;
        const next = new URL(url);
        next.searchParams.set('page', String(page + 1));
        return `<${next.pathname}${next.search}>;rel=next`;
      },
    }),
  },
];
