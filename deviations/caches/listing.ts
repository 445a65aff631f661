/** Listing caches (section 4, endpoint 16) and what an entry says (section 2). */
import {
  type Cache,
  type CacheRules,
  type Direction,
  type Env,
  type ListQuery,
  Refusal,
  type SortField,
} from '../../reference/caches/index.ts';
import { breaking, type CacheDeviation, type Changed } from './kit.ts';

/** Items a page, read in another way on one of the two paged endpoints. */
export const perPage =
  (on: 'list' | 'usage-by-repository', read: (raw: string | undefined, usual: number) => number) =>
  (original: CacheRules): Changed => ({
    readPerPage: (raw, operation, env) => {
      const usual = original.readPerPage(raw, operation, env);
      return operation === on ? read(raw, usual) : usual;
    },
  });

/** Pages cut in another way on one of the two paged endpoints. */
export const cutting =
  (on: 'list' | 'usage-by-repository', cut: <Item>(items: Item[], page: number, perPage: number) => Item[]) =>
  (original: CacheRules): Changed => ({
    slicePage: (items, page, size, operation) =>
      operation === on ? cut(items, page, size) : original.slicePage(items, page, size, operation),
  });

/** The number of the page, read in another way. */
export const paging =
  (on: 'list' | 'usage-by-repository', read: (raw: string | undefined, usual: number) => number) =>
  (original: CacheRules): Changed => ({
    readPage: (raw, operation) => {
      const usual = original.readPage(raw, operation);
      return operation === on ? read(raw, usual) : usual;
    },
  });

/** What a list without filters is made from. */
const listing =
  (choose: (right: Cache[], query: ListQuery, env: Env) => Cache[]) =>
  (original: CacheRules): Changed => ({
    arrangeCaches: (all, query, env) => original.arrangeCaches(choose(all, query, env), query, env),
  });

const isPlain = ({ key, ref }: ListQuery): boolean => !key && !ref;

/** Filters in another way. */
const selecting =
  (select: (right: Cache[], all: Cache[], query: ListQuery, env: Env) => Cache[]) =>
  (original: CacheRules): Changed => ({
    selectCaches: (caches, query, env) =>
      select(original.selectCaches(caches, query, env), caches, query, env),
  });

/** Sorts in another way where it is asked for one field and direction. */
const sorting =
  (
    when: (field: SortField, direction: Direction, query: ListQuery) => boolean,
    sort: (right: Cache[], env: Env) => Cache[],
  ) =>
  (original: CacheRules): Changed => ({
    sortCaches: (caches, query, env) => {
      const right = original.sortCaches(caches, query, env);
      return when(original.readSort(query.sort, env), original.readDirection(query, env), query)
        ? sort(right, env)
        : right;
    },
  });

const reversed = (caches: Cache[]): Cache[] => [...caches].reverse();

/** A text as a pattern of SQL's LIKE, with anything after it. */
function like(pattern: string, text: string): boolean {
  const source = pattern
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('%', '.*')
    .replaceAll('_', '.');
  return new RegExp(`^${source}`, 's').test(text);
}

function regular(pattern: string, text: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})`).test(text);
  } catch {
    return text.startsWith(pattern);
  }
}

const key = (
  id: string,
  breaks: string | string[],
  sentence: string,
  matches: (asked: string, key: string) => boolean,
  entails: string[] = [],
) => breaking(`list-key-${id}`, breaks, sentence, () => ({ matchesKey: matches }), entails);
const ref = (
  id: string,
  breaks: string | string[],
  sentence: string,
  matches: (asked: string, ref: string) => boolean,
  entails: string[] = [],
) => breaking(`list-ref-${id}`, breaks, sentence, () => ({ matchesRef: matches }), entails);

/** What can be said of a list that lacks caches is that it lacks them wherever they are looked for. */
const LACKING = [
  'CACHE-LIST-*',
  'CACHE-DELETE-*',
  'CACHE-PERM-DELETE-*',
  'CACHE-AUTH-DELETE-*',
  'CACHE-ANON-*',
  'CACHE-CASE-*',
  'CACHE-ENTRY-SIZE-LARGE',
];

const contents: CacheDeviation[] = [
  breaking(
    'list-empty-is-unknown',
    'CACHE-LIST-EMPTY',
    'answers 404 where no cache matches a filter',
    (original) => ({
      arrangeCaches: (all, query, env) => {
        const page = original.arrangeCaches(all, query, env);
        if (page.total === 0 && !isPlain(query)) throw new Refusal('unknown');
        return page;
      },
    }),
  ),
  breaking(
    'list-one-per-key',
    'CACHE-LIST-COMPLETE',
    'lists one cache for each key and reference',
    listing((right) =>
      right.filter(
        (cache, i) => right.findIndex((each) => each.key === cache.key && each.ref === cache.ref) === i,
      ),
    ),
    ['CACHE-DELETE-*', 'CACHE-PERM-DELETE-*'],
  ),
  breaking(
    'list-one-per-key-only',
    'CACHE-LIST-COMPLETE',
    'lists one cache for each key',
    listing((right, query) =>
      isPlain(query)
        ? right.filter((cache, i) => right.findIndex((each) => each.key === cache.key) === i)
        : right,
    ),
    LACKING,
  ),
  breaking(
    'list-without-pulls',
    'CACHE-LIST-COMPLETE',
    'leaves pull requests out of the list without filters',
    listing((right, query) =>
      isPlain(query) ? right.filter((cache) => cache.ref.startsWith('refs/heads/')) : right,
    ),
    LACKING,
  ),
  breaking(
    'list-main-only',
    'CACHE-LIST-COMPLETE',
    'lists the default branch where no reference is asked for',
    listing((right, query) =>
      isPlain(query) ? right.filter((cache) => cache.ref === 'refs/heads/main') : right,
    ),
    LACKING,
  ),
  breaking(
    'list-owner',
    'CACHE-LIST-SCOPE-REPO',
    'lists the caches of all repositories of the owner',
    (original) => ({
      arrangeCaches: (all, query, env) => {
        const [first] = all;
        const owned = first
          ? env.state.caches.filter((cache) => cache.repository.owner === first.repository.owner)
          : all;
        return original.arrangeCaches(isPlain(query) ? owned : all, query, env);
      },
    }),
    LACKING,
  ),
  breaking(
    'list-namesakes',
    'CACHE-LIST-SCOPE-OWNER',
    'lists the caches of every repository of that name',
    (original) => ({
      arrangeCaches: (all, query, env) => {
        const [first] = all;
        const named = first
          ? env.state.caches.filter((cache) => cache.repository.name === first.repository.name)
          : all;
        return original.arrangeCaches(isPlain(query) ? named : all, query, env);
      },
    }),
    LACKING,
  ),
];

/** Pages that do not divide a list break everything that is read from them. */
const CUT = [
  'CACHE-LIST-*',
  'CACHE-DELETE-*',
  'CACHE-PERM-DELETE-*',
  'CACHE-AUTH-DELETE-*',
  'CACHE-ANON-DELETE-PUBLIC',
  'CACHE-CASE-*',
  'CACHE-REPO-USAGE-*',
];

const pages: CacheDeviation[] = [
  breaking(
    'list-per-page-ignored',
    'CACHE-LIST-PER-PAGE',
    'ignores per_page when it lists',
    perPage('list', () => 30),
    ['CACHE-LIST-PER-PAGE-HUNDRED'],
  ),
  breaking(
    'list-per-page-at-least-ten',
    'CACHE-LIST-PER-PAGE',
    'puts no fewer than ten caches on a page',
    perPage('list', (_raw, usual) => Math.max(10, usual)),
  ),
  breaking(
    'list-per-page-one-more',
    'CACHE-LIST-PER-PAGE',
    'puts one cache more on a page than asked',
    cutting('list', (items, page, size) => items.slice((page - 1) * size, page * size + (size < 30 ? 1 : 0))),
    ['CACHE-LIST-PAGE'],
  ),
  breaking(
    'list-default-twenty',
    'CACHE-LIST-PER-PAGE-DEFAULT',
    'puts twenty caches on a page by default',
    perPage('list', (raw, usual) => (raw === undefined ? 20 : usual)),
  ),
  breaking(
    'list-default-hundred',
    'CACHE-LIST-PER-PAGE-DEFAULT',
    'puts a hundred caches on a page by default',
    perPage('list', (raw, usual) => (raw === undefined ? 100 : usual)),
  ),
  breaking(
    'list-default-29',
    'CACHE-LIST-PER-PAGE-DEFAULT',
    'puts 29 caches on a page by default',
    perPage('list', (raw, usual) => (raw === undefined ? 29 : usual)),
  ),
  breaking(
    'list-no-maximum',
    'CACHE-LIST-PER-PAGE-MAX',
    'puts as many caches on a page as asked',
    perPage('list', (raw, usual) => (Number(raw) > 100 ? Number(raw) : usual)),
  ),
  breaking(
    'list-maximum-500',
    'CACHE-LIST-PER-PAGE-MAX',
    'puts up to 500 caches on a page',
    perPage('list', (raw, usual) => (Number(raw) > 500 ? 500 : usual)),
  ),
  breaking(
    'list-maximum-101',
    'CACHE-LIST-PER-PAGE-MAX',
    'puts up to 101 caches on a page',
    perPage('list', (raw, usual) => (Number(raw) > 100 ? 101 : usual)),
  ),
  breaking(
    'list-maximum-99',
    'CACHE-LIST-PER-PAGE-HUNDRED',
    'puts up to 99 caches on a page',
    perPage('list', (_raw, usual) => Math.min(99, usual)),
  ),
  breaking(
    'list-maximum-50',
    'CACHE-LIST-PER-PAGE-HUNDRED',
    'puts up to 50 caches on a page',
    perPage('list', (_raw, usual) => Math.min(50, usual)),
  ),
  breaking(
    'list-below-hundred',
    'CACHE-LIST-PER-PAGE-HUNDRED',
    'takes per_page 100 for too much',
    perPage('list', (raw, usual) => (raw === '100' ? 30 : usual)),
  ),
  breaking(
    'list-page-from-zero',
    'CACHE-LIST-PAGE',
    'counts pages from 0 where one is named',
    paging('list', (raw, usual) => (raw === undefined ? usual : usual + 1)),
    CUT,
  ),
  breaking(
    'list-page-overlaps',
    'CACHE-LIST-PAGE',
    'repeats the last cache of a page on the next one',
    cutting('list', (items, page, size) =>
      items.slice(Math.max(0, (page - 1) * size - (page > 1 ? 1 : 0)), page * size),
    ),
    CUT,
  ),
  breaking(
    'list-page-gap',
    'CACHE-LIST-PAGE',
    'leaves one cache out between pages',
    cutting('list', (items, page, size) => items.slice((page - 1) * size + (page > 1 ? 1 : 0), page * size)),
    CUT,
  ),
  breaking(
    'list-page-offset-not-multiplied',
    'CACHE-LIST-PAGE',
    'takes the number of the page for an offset',
    cutting('list', (items, page, size) => items.slice(page - 1, page - 1 + size)),
    CUT,
  ),
  breaking(
    'list-page-always-first',
    'CACHE-LIST-PAGE',
    'gives the first page whichever is asked for',
    paging('list', () => 1),
    CUT,
  ),
  breaking(
    'list-page-third-again',
    'CACHE-LIST-PAGE',
    'gives the second page for all that follow',
    paging('list', (_raw, usual) => Math.min(2, usual)),
    CUT,
  ),
  breaking(
    'list-page-default-second',
    'CACHE-LIST-PAGE-DEFAULT',
    'begins with the second page',
    paging('list', (raw, usual) => (raw === undefined ? 2 : usual)),
    CUT,
  ),
  breaking(
    'list-page-default-last',
    'CACHE-LIST-PAGE-DEFAULT',
    'gives the last page when none is asked for and a size is',
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
  breaking(
    'list-total-of-page',
    'CACHE-LIST-TOTAL',
    'counts the caches of the page',
    () => ({ countCaches: (_matching, page) => page.length }),
    ['CACHE-LIST-TOTAL-FILTERED'],
  ),
  breaking('list-total-at-most-hundred', 'CACHE-LIST-TOTAL', 'counts up to a hundred', () => ({
    countCaches: (matching) => Math.min(100, matching.length),
  })),
  breaking(
    'list-total-one-more',
    'CACHE-LIST-TOTAL',
    'counts one too many where there are more than one page',
    () => ({ countCaches: (matching, page) => matching.length + (page.length < matching.length ? 1 : 0) }),
    ['CACHE-LIST-TOTAL-FILTERED'],
  ),
  breaking(
    'list-total-rest',
    'CACHE-LIST-TOTAL',
    'counts what is left from the page on',
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
    ['CACHE-LIST-PAGE', 'CACHE-LIST-COMPLETE', 'CACHE-LIST-FILTER-PAGES'],
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
  ),
  breaking(
    'list-filter-on-first-page-only',
    'CACHE-LIST-FILTER-PAGES',
    'filters the first page only',
    selecting((right, all, query) => (query.page === undefined || query.page === '1' ? right : all)),
    ['CACHE-LIST-TOTAL-FILTERED'],
  ),
];

const filters: CacheDeviation[] = [
  key('as-version', 'CACHE-LIST-KEY-WHOLE', 'compares key with the version', () => false, [
    'CACHE-LIST-KEY-PREFIX',
    'CACHE-LIST-KEY-AND-REF',
  ]),
  breaking(
    'list-key-one',
    'CACHE-LIST-KEY-WHOLE',
    'lists the first cache with a whole key',
    selecting((right, _all, query) =>
      query.key && right.every((cache) => cache.key === query.key) ? right.slice(0, 1) : right,
    ),
    ['CACHE-LIST-KEY-AND-REF'],
  ),
  key('exact', 'CACHE-LIST-KEY-PREFIX', 'lists only what has just the key', (asked, each) => asked === each, [
    'CACHE-LIST-KEY-AND-REF',
  ]),
  key(
    'to-the-dash',
    'CACHE-LIST-KEY-PREFIX',
    'lists keys that go on with a dash only',
    (asked, each) =>
      each === asked || each.startsWith(`${asked}-`) || (asked.endsWith('-') && each.startsWith(asked)),
    ['CACHE-LIST-KEY-AND-REF'],
  ),
  key(
    'substring',
    'CACHE-LIST-KEY-NOT-SUBSTRING',
    'lists every cache whose key holds the text',
    (asked, each) => each.includes(asked),
  ),
  key(
    'suffix-too',
    'CACHE-LIST-KEY-NOT-SUBSTRING',
    'lists every cache whose key begins or ends with the text',
    (asked, each) => each.startsWith(asked) || each.endsWith(asked),
  ),
  key('ignored', 'CACHE-LIST-KEY-NOT-SUBSTRING', 'ignores key when it lists', () => true, [
    'CACHE-LIST-EMPTY',
  ]),
  key('case', 'CACHE-LIST-KEY-CASE', 'lists keys without regard to case', (asked, each) =>
    each.toLowerCase().startsWith(asked.toLowerCase()),
  ),
  key('like', 'CACHE-LIST-KEY-LITERAL', 'takes key for a pattern of SQL', like),
  key('regular', 'CACHE-LIST-KEY-LITERAL', 'takes key for a regular expression', regular),
  key('glob', 'CACHE-LIST-KEY-LITERAL', 'takes an asterisk in key for anything', (asked, each) =>
    like(
      asked.replaceAll('%', '\u0000').replaceAll('_', '\u0001').replaceAll('*', '%'),
      each.replaceAll('%', '\u0000').replaceAll('_', '\u0001'),
    ),
  ),
  key('decoded-twice', 'CACHE-LIST-KEY-DECODED', 'decodes key twice', (asked, each) => {
    try {
      return each.startsWith(decodeURIComponent(asked));
    } catch {
      return each.startsWith(asked);
    }
  }),
  key('plus-is-space', 'CACHE-LIST-KEY-DECODED', 'takes a plus sign in key for a space', (asked, each) =>
    each.startsWith(asked.replaceAll('+', ' ')),
  ),
  key('latin', 'CACHE-LIST-KEY-DECODED', 'reads key as Latin-1', (asked, each) =>
    each.startsWith(Buffer.from(asked, 'utf8').toString('latin1')),
  ),
  key(
    'cut-at-ampersand',
    'CACHE-LIST-KEY-DECODED',
    'cuts key at an ampersand after it was decoded',
    (asked, each) => (asked.includes('&') ? each === asked.split('&')[0] : each.startsWith(asked)),
  ),
  ref(
    'cut',
    'CACHE-LIST-REF-BRANCH',
    'cuts branch names at a slash',
    (asked, each) =>
      asked.startsWith('refs/heads/') ? asked.split('/').slice(0, 3).join('/') === each : asked === each,
    ['CACHE-LIST-REF-*', 'CACHE-LIST-KEY-AND-REF'],
  ),
  ref(
    'stripped',
    'CACHE-LIST-REF-BRANCH',
    'compares the branch name with the full reference',
    (asked, each) => asked.replace(/^refs\/heads\//, '') === each,
    ['CACHE-LIST-REF-*', 'CACHE-LIST-KEY-AND-REF'],
  ),
  ref(
    'branches-only',
    'CACHE-LIST-REF-PULL',
    'puts refs/heads/ before the reference of a pull request',
    (asked, each) => (asked.startsWith('refs/heads/') ? asked : `refs/heads/${asked}`) === each,
  ),
  ref(
    'pull-number',
    'CACHE-LIST-REF-PULL',
    'looks for pull requests without the part after their number',
    (asked, each) =>
      asked.replace(/\/merge$/, '') === each || (asked === each && !asked.startsWith('refs/pull/')),
  ),
  ref('prefix', 'CACHE-LIST-REF-EXACT', 'lists references that begin with the one given', (asked, each) =>
    each.startsWith(asked),
  ),
  ref('suffix', 'CACHE-LIST-REF-EXACT', 'lists references that end with the one given', (asked, each) =>
    each.endsWith(asked),
  ),
  ref('ignored', 'CACHE-LIST-REF-EXACT', 'ignores ref when it lists', () => true, [
    'CACHE-LIST-REF-CASE',
    'CACHE-LIST-TOTAL-FILTERED',
  ]),
  ref(
    'last-parts',
    'CACHE-LIST-REF-EXACT',
    'compares the ends of references',
    (asked, each) => each.endsWith(asked.replace(/^refs\/(heads|pull)\//, '/')),
    ['CACHE-LIST-REF-CASE'],
  ),
  ref(
    'case',
    'CACHE-LIST-REF-CASE',
    'compares references without regard to case',
    (asked, each) => each.toLowerCase() === asked.toLowerCase(),
  ),
  breaking(
    'list-key-or-ref',
    'CACHE-LIST-KEY-AND-REF',
    'lists what matches key or ref',
    selecting((right, all, query, env) =>
      query.key && query.ref
        ? all.filter(
            (cache) =>
              env.rules.matchesKey(query.key!, cache.key) || env.rules.matchesRef(query.ref!, cache.ref),
          )
        : right,
    ),
  ),
  breaking(
    'list-ref-replaces-key',
    'CACHE-LIST-KEY-AND-REF',
    'ignores key where there is a ref',
    selecting((right, all, query, env) =>
      query.key && query.ref ? all.filter((cache) => env.rules.matchesRef(query.ref!, cache.ref)) : right,
    ),
  ),
  breaking(
    'list-key-replaces-ref',
    'CACHE-LIST-KEY-AND-REF',
    'ignores ref where there is a key',
    selecting((right, all, query, env) =>
      query.key && query.ref ? all.filter((cache) => env.rules.matchesKey(query.key!, cache.key)) : right,
    ),
  ),
];

/** Another order breaks what is built on this one. */
const SORTED = [
  'CACHE-LIST-FILTER-SORT',
  'CACHE-LIST-SORT-PAGES',
  'CACHE-LIST-DIRECTION-DEFAULT',
  'CACHE-LIST-SORT-DEFAULT',
];
const FIELDS: [code: string, field: SortField][] = [
  ['CREATED', 'created_at'],
  ['ACCESSED', 'last_accessed_at'],
  ['SIZE', 'size_in_bytes'],
];

const orders: CacheDeviation[] = [
  ...FIELDS.flatMap(([code, field]) =>
    (['asc', 'desc'] as const).flatMap((direction) => {
      const id = `CACHE-LIST-SORT-${code}-${direction.toUpperCase()}`;
      const name = `list-sort-${code.toLowerCase()}-${direction}`;
      const when = (sort: SortField, way: Direction, query: ListQuery) =>
        sort === field && way === direction && query.direction !== undefined && query.sort !== undefined;
      return [
        breaking(
          `${name}-reversed`,
          id,
          `sorts ${field} ${direction} the other way round`,
          sorting(when, reversed),
          SORTED,
        ),
        breaking(
          `${name}-by-id`,
          id,
          `lists in the order of ids when ${field} ${direction} is asked for`,
          sorting(when, (right) => [...right].sort((a, b) => a.id - b.id)),
          SORTED,
        ),
        breaking(
          `${name}-two-swapped`,
          id,
          `swaps two caches when ${field} ${direction} is asked for`,
          sorting(when, ([a, b, c, ...rest]) =>
            [a, c, b, ...rest].filter((each): each is Cache => each !== undefined),
          ),
          SORTED,
        ),
      ];
    }),
  ),
  breaking(
    'list-sort-size-as-text',
    ['CACHE-LIST-SORT-SIZE-ASC', 'CACHE-LIST-SORT-SIZE-DESC'],
    'sorts sizes as text',
    (original) => ({
      compareCaches: (a, b, field, env) =>
        field === 'size_in_bytes'
          ? String(a.sizeInBytes) < String(b.sizeInBytes)
            ? -1
            : 1
          : original.compareCaches(a, b, field, env),
    }),
    SORTED,
  ),
  breaking(
    'list-sort-created-to-the-hour',
    ['CACHE-LIST-SORT-CREATED-ASC', 'CACHE-LIST-SORT-CREATED-DESC'],
    'sorts creation by the hour',
    (original) => ({
      compareCaches: (a, b, field, env) => {
        const hour = (cache: Cache) => Math.floor(cache.createdAt / 3_600_000);
        return field === 'created_at' ? hour(a) - hour(b) : original.compareCaches(a, b, field, env);
      },
    }),
    SORTED,
  ),
  breaking(
    'list-sort-accessed-by-created',
    ['CACHE-LIST-SORT-ACCESSED-ASC', 'CACHE-LIST-SORT-ACCESSED-DESC'],
    'sorts by creation when last access is asked for',
    (original) => ({
      compareCaches: (a, b, field, env) =>
        original.compareCaches(a, b, field === 'last_accessed_at' ? 'created_at' : field, env),
    }),
    SORTED,
  ),
  breaking(
    'list-sort-default-created',
    'CACHE-LIST-SORT-DEFAULT',
    'sorts by creation by default',
    () => ({ defaultSort: 'created_at' }),
    ['CACHE-LIST-DIRECTION-DEFAULT'],
  ),
  breaking(
    'list-sort-default-size',
    'CACHE-LIST-SORT-DEFAULT',
    'sorts by size by default',
    () => ({ defaultSort: 'size_in_bytes' }),
    ['CACHE-LIST-DIRECTION-DEFAULT'],
  ),
  breaking(
    'list-sort-default-id',
    'CACHE-LIST-SORT-DEFAULT',
    'lists in the order of ids by default',
    sorting(
      (_f, _d, query) => query.sort === undefined,
      (right) => [...right].sort((a, b) => a.id - b.id),
    ),
  ),
  breaking(
    'list-direction-default-asc',
    'CACHE-LIST-DIRECTION-DEFAULT',
    'lists in ascending order by default',
    () => ({ defaultDirection: 'asc' }),
  ),
  breaking(
    'list-direction-default-asc-with-sort',
    'CACHE-LIST-DIRECTION-DEFAULT',
    'lists in ascending order where sort is given and direction is not',
    (original) => ({
      readDirection: (query, env) =>
        query.sort && query.direction === undefined ? 'asc' : original.readDirection(query, env),
    }),
  ),
  breaking(
    'list-direction-default-asc-for-size',
    'CACHE-LIST-DIRECTION-DEFAULT',
    'lists the smallest first where direction is not given',
    (original) => ({
      readDirection: (query, env) =>
        query.sort === 'size_in_bytes' && query.direction === undefined
          ? 'asc'
          : original.readDirection(query, env),
    }),
  ),
  breaking(
    'list-filter-not-sorted',
    'CACHE-LIST-FILTER-SORT',
    'does not sort filtered lists',
    sorting(
      (_f, _d, { key: filter, ref: reference }) => Boolean(filter || reference),
      (right) => [...right].sort((a, b) => a.id - b.id),
    ),
  ),
  breaking(
    'list-filter-sorted-by-access',
    'CACHE-LIST-FILTER-SORT',
    'sorts filtered lists by last access',
    (original) => ({
      sortCaches: (caches, query, env) =>
        original.sortCaches(caches, isPlain(query) ? query : { ...query, sort: 'last_accessed_at' }, env),
    }),
  ),
  breaking(
    'list-pages-sorted-apart',
    'CACHE-LIST-SORT-PAGES',
    'sorts each page after it was cut',
    (original) => ({
      arrangeCaches: (all, query, env) => {
        const size = original.readPerPage(query.per_page, 'list', env);
        if (query.sort === undefined || size >= 100) return original.arrangeCaches(all, query, env);
        const matching = original.selectCaches(all, query, env);
        const items = original.slicePage(matching, original.readPage(query.page, 'list'), size, 'list');
        return { items: original.sortCaches(items, query, env), total: matching.length };
      },
    }),
  ),
  breaking(
    'list-second-page-unsorted',
    'CACHE-LIST-SORT-PAGES',
    'sorts the first page by size and goes on by id',
    (original) => ({
      arrangeCaches: (all, query, env) => {
        const page = original.arrangeCaches(all, query, env);
        const first = original.arrangeCaches(all, { ...query, page: '1' }, env).items;
        if (query.sort === undefined || original.readPage(query.page, 'list') === 1) return page;
        const size = original.readPerPage(query.per_page, 'list', env);
        const rest = original.selectCaches(all, query, env).filter((cache) => !first.includes(cache));
        return {
          items: rest.slice((original.readPage(query.page, 'list') - 2) * size).slice(0, size),
          total: page.total,
        };
      },
    }),
  ),
];

/** Entries that say something else than what is true. */
const entry = (
  id: string,
  breaks: string | string[],
  sentence: string,
  change: (entry: Record<string, unknown>, cache: Cache) => Record<string, unknown>,
  entails: string[] = [],
) =>
  breaking(
    `entry-${id}`,
    breaks,
    sentence,
    (original) => ({
      serialiseEntry: (cache, env) => change(original.serialiseEntry(cache, env), cache) as never,
    }),
    entails,
  );

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
const HOUR = 3_600_000;

const entries: CacheDeviation[] = [
  entry('ref-main', 'CACHE-ENTRY-REF-VALUE', 'says refs/heads/main of every cache', (each) => ({
    ...each,
    ref: 'refs/heads/main',
  })),
  entry('ref-pull-as-branch', 'CACHE-ENTRY-REF-VALUE', 'gives a pull request as a branch', (each) => ({
    ...each,
    ref: String(each.ref).replace('refs/pull/', 'refs/heads/'),
  })),
  entry('ref-lower-case', 'CACHE-ENTRY-REF-VALUE', 'gives references in lower case', (each) => ({
    ...each,
    ref: String(each.ref).toLowerCase(),
  })),
  entry('key-lower-case', 'CACHE-ENTRY-KEY-VALUE', 'gives keys in lower case', (each) => ({
    ...each,
    key: String(each.key).toLowerCase(),
  })),
  entry('key-encoded', 'CACHE-ENTRY-KEY-VALUE', 'gives keys percent-encoded', (each) => ({
    ...each,
    key: encodeURIComponent(String(each.key)),
  })),
  entry(
    'key-cut',
    'CACHE-ENTRY-KEY-VALUE',
    'cuts keys after 16 characters',
    (each) => ({ ...each, key: String(each.key).slice(0, 16) }),
    ['CACHE-DELETE-KEY-REQUIRED'],
  ),
  entry('version-cut', 'CACHE-ENTRY-VERSION-VALUE', 'cuts versions after eight characters', (each) => ({
    ...each,
    version: String(each.version).slice(0, 8),
  })),
  entry(
    'version-of-key',
    'CACHE-ENTRY-VERSION-VALUE',
    'gives the key as version',
    (each) => ({ ...each, version: each.key }),
    ['CACHE-ENTRY-ID-UNIQUE'],
  ),
  entry(
    'accessed-is-created',
    'CACHE-ENTRY-LAST-ACCESSED-AT-VALUE',
    'gives the time of creation as that of the last access',
    (each) => ({ ...each, last_accessed_at: each.created_at }),
  ),
  entry(
    'accessed-local',
    'CACHE-ENTRY-LAST-ACCESSED-AT-VALUE',
    'gives a local time of last access as UTC',
    (each, cache) => ({ ...each, last_accessed_at: iso(cache.lastAccessedAt + 2 * HOUR) }),
  ),
  entry(
    'accessed-to-the-minute',
    'CACHE-ENTRY-LAST-ACCESSED-AT-VALUE',
    'cuts the time of last access to the minute',
    (each, cache) => ({ ...each, last_accessed_at: iso(Math.floor(cache.lastAccessedAt / 60_000) * 60_000) }),
  ),
  entry(
    'created-is-accessed',
    'CACHE-ENTRY-CREATED-AT-VALUE',
    'gives the time of the last access as that of creation',
    (each) => ({ ...each, created_at: each.last_accessed_at }),
  ),
  entry(
    'created-local',
    'CACHE-ENTRY-CREATED-AT-VALUE',
    'gives a local time of creation as UTC',
    (each, cache) => ({ ...each, created_at: iso(cache.createdAt - 5 * HOUR) }),
  ),
  entry(
    'created-twelve-hours',
    'CACHE-ENTRY-CREATED-AT-VALUE',
    'writes the hour of creation on a clock of twelve hours',
    (each, cache) => {
      const time = new Date(cache.createdAt);
      time.setUTCHours(time.getUTCHours() % 12);
      return { ...each, created_at: time.toISOString() };
    },
  ),
  entry(
    'size-in-kilobytes',
    'CACHE-ENTRY-SIZE-IN-BYTES-VALUE',
    'gives sizes in kilobytes',
    (each, cache) => ({ ...each, size_in_bytes: Math.ceil(cache.sizeInBytes / 1024) }),
    ['CACHE-ENTRY-SIZE-LARGE'],
  ),
  entry(
    'size-in-blocks',
    'CACHE-ENTRY-SIZE-IN-BYTES-VALUE',
    'rounds sizes up to blocks',
    (each, cache) => ({ ...each, size_in_bytes: Math.ceil(cache.sizeInBytes / 512) * 512 }),
    ['CACHE-ENTRY-SIZE-LARGE'],
  ),
  entry('size-32-bits', 'CACHE-ENTRY-SIZE-LARGE', 'keeps 32 bits of a size', (each, cache) => ({
    ...each,
    size_in_bytes: cache.sizeInBytes % 2 ** 32,
  })),
  entry('size-capped', 'CACHE-ENTRY-SIZE-LARGE', 'gives at most 2^31 - 1 as a size', (each, cache) => ({
    ...each,
    size_in_bytes: Math.min(2 ** 31 - 1, cache.sizeInBytes),
  })),
  entry(
    'size-single-precision',
    'CACHE-ENTRY-SIZE-LARGE',
    'rounds large sizes to single precision',
    (each, cache) => ({
      ...each,
      size_in_bytes: cache.sizeInBytes > 2 ** 31 ? Math.fround(cache.sizeInBytes) : cache.sizeInBytes,
    }),
  ),
  entry('id-32-bits', 'CACHE-ENTRY-ID-UNIQUE', 'keeps four bits of an id', (each, cache) => ({
    ...each,
    id: cache.id % 16,
  })),
  entry('id-of-key', 'CACHE-ENTRY-ID-UNIQUE', 'derives the id from the key', (each, cache) => ({
    ...each,
    id: [...cache.key].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) >>> 0, 7),
  })),
];

export const listingDeviations: CacheDeviation[] = [...contents, ...pages, ...filters, ...orders, ...entries];
