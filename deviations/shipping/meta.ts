/** Wrong numbers in the pagination meta (section 2). */
import type { PageFacts, ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';

/** Returns the number of pages of a collection. */
const pages = ({ total, perPage }: PageFacts): number => Math.ceil(total / perPage);

type MetaRule =
  | 'metaTotalCount'
  | 'metaPerPage'
  | 'metaCurrentPage'
  | 'metaTotalPages'
  | 'metaNextPage'
  | 'metaPrevPage';

/** Replaces how one number of the meta is computed. */
function meta(
  id: string,
  breaks: string | string[],
  sentence: string,
  rule: MetaRule,
  compute: (facts: PageFacts, original: ShippingRules) => number | null,
  entails: string[] = [],
): Deviation<ShippingRules> {
  return {
    id,
    breaks: [breaks].flat(),
    entails,
    sentence,
    rules: (original) => ({ [rule]: (facts: PageFacts) => compute(facts, original) }),
  };
}

const itemsOf = ({ total, page, perPage }: PageFacts): number =>
  Math.max(0, Math.min(perPage, total - (page - 1) * perPage));

/** A next_page on every page: how it is written where it should be null can then not be seen. */
function neverNull(
  id: string,
  sentence: string,
  compute: (facts: PageFacts) => number,
): Deviation<ShippingRules> {
  return {
    ...meta(id, 'ADDR-META-NEXT-PAGE-LAST', sentence, 'metaNextPage', compute),
    conflicts: ['absent-when-null', 'null-as-text'].map(
      (fault) => `generated/list/PaginationMeta.next_page/${fault}`,
    ),
  };
}

/** Computes a number of the meta with the requested per_page even where that is above the maximum. */
function uncapped(
  id: string,
  name: string,
  rule: 'metaTotalPages' | 'metaNextPage',
  compute: (total: number, size: number, page: number) => number | null,
): Deviation<ShippingRules> {
  return {
    id,
    breaks: [`ADDR-META-${name.toUpperCase().replace('_', '-')}-VALUE`],
    sentence: `computes ${name} with the per_page that was asked for, though pages have 20 at most`,
    rules: (original) => {
      let asked = 0;
      return {
        readPerPage: (raw, env) => {
          asked = Number(raw);
          return original.readPerPage(raw, env);
        },
        [rule]: (facts: PageFacts) =>
          asked > 20 ? compute(facts.total, asked, facts.page) : original[rule](facts),
      };
    },
  };
}

export const metaDeviations: Deviation<ShippingRules>[] = [
  meta(
    'total-count-of-page',
    'ADDR-META-TOTAL-COUNT-VALUE',
    'gives the number of addresses on the page as total_count',
    'metaTotalCount',
    itemsOf,
    ['ADDR-CREATE-COUNTED', 'ADDR-DELETE-GONE-COUNT', 'ADDR-META-TOTAL-PAGES-VALUE'],
  ),
  meta(
    'total-count-one-more',
    'ADDR-META-TOTAL-COUNT-VALUE',
    'counts one address too many',
    'metaTotalCount',
    ({ total }) => total + 1,
    ['ADDR-META-TOTAL-PAGES-VALUE'],
  ),
  meta(
    'total-count-so-far',
    'ADDR-META-TOTAL-COUNT-VALUE',
    'counts the addresses up to the end of the page',
    'metaTotalCount',
    ({ total, page, perPage }) => Math.min(total, page * perPage),
    ['ADDR-CREATE-COUNTED', 'ADDR-DELETE-GONE-COUNT', 'ADDR-META-TOTAL-PAGES-VALUE'],
  ),
  meta(
    'total-count-zero-after-first-page',
    'ADDR-META-TOTAL-COUNT-VALUE',
    'reports total_count on the first page and 0 on the others',
    'metaTotalCount',
    ({ total, page }) => (page > 1 ? 0 : total),
    ['ADDR-META-TOTAL-PAGES-VALUE'],
  ),
  meta(
    'per-page-says-default',
    'ADDR-META-PER-PAGE-VALUE',
    'reports per_page 20 whatever was requested',
    'metaPerPage',
    () => 20,
    ['ADDR-META-TOTAL-PAGES-VALUE'],
  ),
  meta(
    'per-page-says-items',
    'ADDR-META-PER-PAGE-VALUE',
    'reports in per_page how many addresses are on the page',
    'metaPerPage',
    itemsOf,
    ['ADDR-LIST-PER-PAGE-DEFAULT', 'ADDR-META-TOTAL-PAGES-VALUE'],
  ),
  meta(
    'per-page-says-default-missing',
    'ADDR-LIST-PER-PAGE-DEFAULT',
    'reports per_page 10 when none was requested, on pages of 20',
    'metaPerPage',
    ({ perPage }) => (perPage === 20 ? 10 : perPage),
    ['ADDR-META-PER-PAGE-VALUE', 'ADDR-META-TOTAL-PAGES-VALUE', 'ADDR-LIST-PER-PAGE-MAX-INCLUSIVE'],
  ),
  meta(
    'current-page-from-zero',
    'ADDR-META-CURRENT-PAGE-VALUE',
    'counts pages from 0 in current_page and from 1 in the query',
    'metaCurrentPage',
    ({ page }) => page - 1,
    ['ADDR-META-NEXT-PAGE-VALUE', 'ADDR-META-PREV-PAGE-VALUE'],
  ),
  meta(
    'current-page-always-1',
    'ADDR-META-CURRENT-PAGE-VALUE',
    'reports current_page 1 on every page',
    'metaCurrentPage',
    () => 1,
    ['ADDR-META-NEXT-PAGE-VALUE', 'ADDR-META-PREV-PAGE-VALUE'],
  ),
  meta(
    'current-page-is-offset',
    'ADDR-META-CURRENT-PAGE-VALUE',
    'reports in current_page how many addresses come before the page',
    'metaCurrentPage',
    ({ page, perPage }) => (page - 1) * perPage,
    ['ADDR-META-NEXT-PAGE-VALUE', 'ADDR-META-PREV-PAGE-VALUE'],
  ),
  meta(
    'total-pages-rounded-down',
    'ADDR-META-TOTAL-PAGES-VALUE',
    'rounds total_pages down',
    'metaTotalPages',
    ({ total, perPage }) => Math.floor(total / perPage),
  ),
  meta(
    'total-pages-plus-one',
    'ADDR-META-TOTAL-PAGES-VALUE',
    'adds one to total_pages after rounding down, also where nothing is left over',
    'metaTotalPages',
    ({ total, perPage }) => Math.floor(total / perPage) + 1,
  ),
  meta(
    'total-pages-rounded-to-nearest',
    'ADDR-META-TOTAL-PAGES-VALUE',
    'rounds total_pages to the nearest number',
    'metaTotalPages',
    ({ total, perPage }) => Math.max(1, Math.round(total / perPage)),
  ),
  meta(
    'total-pages-of-20',
    'ADDR-META-TOTAL-PAGES-VALUE',
    'computes total_pages with pages of 20 whatever per_page is',
    'metaTotalPages',
    ({ total }) => Math.ceil(total / 20),
  ),
  uncapped('total-pages-uncapped', 'total_pages', 'metaTotalPages', (total, size) => Math.ceil(total / size)),
  uncapped('next-page-uncapped', 'next_page', 'metaNextPage', (total, size, page) =>
    page * size < total ? page + 1 : null,
  ),
  meta(
    'next-page-is-last',
    'ADDR-META-NEXT-PAGE-VALUE',
    'reports the last page as next_page',
    'metaNextPage',
    (facts) => (facts.page < pages(facts) ? pages(facts) : null),
  ),
  meta(
    'next-page-is-current',
    'ADDR-META-NEXT-PAGE-VALUE',
    'reports the current page as next_page',
    'metaNextPage',
    (facts) => (facts.page < pages(facts) ? facts.page : null),
  ),
  meta(
    'next-page-always-2',
    'ADDR-META-NEXT-PAGE-VALUE',
    'reports page 2 as next_page on every page but the last',
    'metaNextPage',
    (facts) => (facts.page < pages(facts) ? 2 : null),
  ),
  meta(
    'next-page-null-after-first',
    'ADDR-META-NEXT-PAGE-VALUE',
    'reports a next_page on the first page only',
    'metaNextPage',
    (facts) => (facts.page === 1 && pages(facts) > 1 ? 2 : null),
  ),
  meta(
    'next-page-missing-before-last',
    'ADDR-META-NEXT-PAGE-VALUE',
    'reports next_page null one page too early',
    'metaNextPage',
    (facts) => (facts.page < pages(facts) - 1 ? facts.page + 1 : null),
  ),
  neverNull('next-page-never-null', 'reports a next_page on every page', ({ page }) => page + 1),
  meta(
    'next-page-when-full',
    'ADDR-META-NEXT-PAGE-LAST',
    'reports a next_page whenever the page is full',
    'metaNextPage',
    (facts) => (itemsOf(facts) === facts.perPage ? facts.page + 1 : null),
  ),
  neverNull('next-page-zero-on-last', 'reports next_page 0 on the last page', (facts) =>
    facts.page < pages(facts) ? facts.page + 1 : 0,
  ),
  neverNull('next-page-wraps', 'reports the first page as next_page on the last', (facts) =>
    facts.page < pages(facts) ? facts.page + 1 : 1,
  ),
  meta(
    'prev-page-always-null',
    'ADDR-META-PREV-PAGE-VALUE',
    'computes next_page only and always reports prev_page null',
    'metaPrevPage',
    () => null,
  ),
  meta(
    'prev-page-always-1',
    'ADDR-META-PREV-PAGE-VALUE',
    'reports page 1 as prev_page on every page but the first',
    'metaPrevPage',
    ({ page }) => (page > 1 ? 1 : null),
  ),
  meta(
    'prev-page-is-current',
    'ADDR-META-PREV-PAGE-VALUE',
    'reports the current page as prev_page',
    'metaPrevPage',
    ({ page }) => (page > 1 ? page : null),
  ),
  meta(
    'prev-page-null-on-last',
    'ADDR-META-PREV-PAGE-VALUE',
    'reports prev_page null on the last page',
    'metaPrevPage',
    (facts) => (facts.page > 1 && facts.page < pages(facts) ? facts.page - 1 : null),
  ),
  meta(
    'prev-page-zero',
    'ADDR-META-PREV-PAGE-FIRST',
    'reports prev_page 0 on the first page',
    'metaPrevPage',
    ({ page }, original) =>
      page === 1 ? 0 : original.metaPrevPage({ total: Number.MAX_SAFE_INTEGER, page, perPage: 1 }),
  ),
  meta(
    'prev-page-is-first',
    'ADDR-META-PREV-PAGE-FIRST',
    'reports prev_page 1 on the first page',
    'metaPrevPage',
    ({ page }) => Math.max(1, page - 1),
  ),
  meta(
    'total-pages-null-when-empty',
    'ADDR-META-TOTAL-PAGES',
    'reports total_pages null where no address is saved',
    'metaTotalPages',
    (facts, original) => (facts.total === 0 ? null : original.metaTotalPages(facts)) as number,
  ),
];
