/** Pages of usage by repository (section 4, endpoint 10, per_page and page), and what total_count counts. */
import { breaking, type CacheDeviation } from './kit.ts';
import { cutting, hundredIsTooMuch, pagingDeviations, perPage } from './paging.ts';

const ON = 'usage-by-repository' as const;
/** Further requirements that fail where pages overlap or leave gaps, since their checks read all pages. */
const CUT = ['CACHE-BY-REPO-*', 'CACHE-USAGE-AGREES', 'CACHE-ORG-USAGE-*'];

export const usagePageDeviations: CacheDeviation[] = [
  ...pagingDeviations({
    on: ON,
    name: 'by-repo',
    item: 'repository',
    items: 'repositories',
    where: 'in usage by repository',
    subject: 'usage by repository',
    cut: CUT,
    defaults: [
      [100, 'hundred', 'a hundred'],
      [31, '31', '31'],
    ],
    lowMaxima: [99],
  }),
  breaking(
    'by-repo-maximum-30',
    'CACHE-BY-REPO-PER-PAGE-HUNDRED',
    'takes per_page 100 for too much in usage by repository',
    perPage(ON, hundredIsTooMuch),
  ),
  breaking(
    'by-repo-page-unstable',
    'CACHE-BY-REPO-PAGE',
    'reverses the list for every second page',
    cutting(ON, (items, page, size) =>
      (page % 2 === 0 ? [...items].reverse() : items).slice((page - 1) * size, page * size),
    ),
    CUT,
  ),
  breaking('by-repo-total-of-page', 'CACHE-BY-REPO-TOTAL', 'counts the repositories of the page', () => ({
    countRepositories: (_listed, page) => page.length,
  })),
  breaking(
    'by-repo-total-at-most-hundred',
    'CACHE-BY-REPO-TOTAL',
    'counts up to a hundred repositories',
    () => ({ countRepositories: (listed) => Math.min(100, listed.length) }),
  ),
  breaking('by-repo-total-one-less', 'CACHE-BY-REPO-TOTAL', 'counts one repository too few', () => ({
    countRepositories: (listed) => Math.max(0, listed.length - 1),
  })),
];
