/** The order of the list of caches (section 4, endpoint 16, sort and direction). */
import type {
  Cache,
  CacheRules,
  Direction,
  Env,
  ListQuery,
  SortField,
} from '../../reference/caches/index.ts';
import { breaking, type CacheDeviation, type Changed } from './kit.ts';
import { isPlain } from './list-kit.ts';

/** Further requirements that fail where the order is wrong, since their checks depend on it. */
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
const HOUR = 3_600_000;

type Order = (right: Cache[]) => Cache[];

/** Sorts differently where `when` holds for the query. */
const sorting =
  (when: (query: ListQuery, field: SortField, direction: Direction) => boolean, sort: Order) =>
  (original: CacheRules): Changed => ({
    sortCaches: (caches, query, env) => {
      const right = original.sortCaches(caches, query, env);
      return when(query, original.readSort(query.sort, env), original.readDirection(query, env))
        ? sort(right)
        : right;
    },
  });

/** Uses ascending order where `when` holds for the query and no direction is given. */
const ascending =
  (when: (query: ListQuery) => boolean) =>
  (original: CacheRules): Changed => ({
    readDirection: (query, env) =>
      when(query) && query.direction === undefined ? 'asc' : original.readDirection(query, env),
  });

/** Replaces the comparison of two caches. */
const comparing =
  (compare: (a: Cache, b: Cache, field: SortField, env: Env, original: CacheRules) => number) =>
  (original: CacheRules): Changed => ({
    compareCaches: (a, b, field, env) => compare(a, b, field, env, original),
  });

/** Returns a time as text, without trailing zeros in its fraction. */
const textOf = (time: number): string => new Date(time).toISOString().replace(/0+Z$/, 'Z').replace('.Z', 'Z');

const byId: Order = (caches) => [...caches].sort((a, b) => a.id - b.id);
const reversed: Order = (caches) => [...caches].reverse();
const twoSwapped: Order = ([a, b, c, ...rest]) =>
  [a, c, b, ...rest].filter((each): each is Cache => each !== undefined);

const asked: CacheDeviation[] = FIELDS.flatMap(([code, field]) =>
  (['asc', 'desc'] as const).flatMap((direction) => {
    const made = (what: string, sentence: string, sort: Order) =>
      breaking(
        `list-sort-${code.toLowerCase()}-${direction}-${what}`,
        `CACHE-LIST-SORT-${code}-${direction.toUpperCase()}`,
        sentence,
        sorting(
          (query, by, way) =>
            by === field && way === direction && query.direction !== undefined && query.sort !== undefined,
          sort,
        ),
        SORTED,
      );
    const order = `${field} ${direction}`;
    return [
      made('reversed', `sorts ${order} the other way round`, reversed),
      made('by-id', `lists in the order of ids when ${order} is asked for`, byId),
      made('two-swapped', `swaps two caches when ${order} is asked for`, twoSwapped),
    ];
  }),
);

const values: CacheDeviation[] = [
  breaking(
    'list-sort-size-as-text',
    ['CACHE-LIST-SORT-SIZE-ASC', 'CACHE-LIST-SORT-SIZE-DESC'],
    'sorts sizes as text',
    comparing((a, b, field, env, original) =>
      field === 'size_in_bytes'
        ? String(a.sizeInBytes) < String(b.sizeInBytes)
          ? -1
          : 1
        : original.compareCaches(a, b, field, env),
    ),
    SORTED,
  ),
  breaking(
    'list-sort-created-to-the-hour',
    ['CACHE-LIST-SORT-CREATED-ASC', 'CACHE-LIST-SORT-CREATED-DESC'],
    'sorts creation by the hour',
    comparing((a, b, field, env, original) => {
      const hour = (cache: Cache) => Math.floor(cache.createdAt / HOUR);
      return field === 'created_at' ? hour(a) - hour(b) : original.compareCaches(a, b, field, env);
    }),
    SORTED,
  ),
  breaking(
    'list-sort-times-to-the-second',
    [
      'CACHE-LIST-SORT-CREATED-ASC',
      'CACHE-LIST-SORT-CREATED-DESC',
      'CACHE-LIST-SORT-ACCESSED-ASC',
      'CACHE-LIST-SORT-ACCESSED-DESC',
    ],
    'sorts times by the second and shows milliseconds',
    comparing((a, b, field, env, original) => {
      const second = (cache: Cache) => Math.floor(env.rules.sortValue[field](cache) / 1000);
      return field === 'size_in_bytes' ? original.compareCaches(a, b, field, env) : second(a) - second(b);
    }),
  ),
  breaking(
    'list-sort-times-as-text',
    [
      'CACHE-LIST-SORT-CREATED-ASC',
      'CACHE-LIST-SORT-CREATED-DESC',
      'CACHE-LIST-SORT-ACCESSED-ASC',
      'CACHE-LIST-SORT-ACCESSED-DESC',
    ],
    'sorts times as text that ends with as many decimals as there are',
    comparing((a, b, field, env, original) => {
      const [one, other] = [a, b].map((cache) => textOf(env.rules.sortValue[field](cache)));
      if (field === 'size_in_bytes' || one === other) return original.compareCaches(a, b, field, env);
      return one! < other! ? -1 : 1;
    }),
  ),
  breaking(
    'list-sort-accessed-by-created',
    ['CACHE-LIST-SORT-ACCESSED-ASC', 'CACHE-LIST-SORT-ACCESSED-DESC'],
    'sorts by creation when last access is asked for',
    comparing((a, b, field, env, original) =>
      original.compareCaches(a, b, field === 'last_accessed_at' ? 'created_at' : field, env),
    ),
    SORTED,
  ),
];

const defaults: CacheDeviation[] = [
  ...(
    [
      ['created', 'creation', 'created_at'],
      ['size', 'size', 'size_in_bytes'],
    ] as const
  ).map(([id, words, field]) =>
    breaking(
      `list-sort-default-${id}`,
      'CACHE-LIST-SORT-DEFAULT',
      `sorts by ${words} by default`,
      () => ({ defaultSort: field }),
      ['CACHE-LIST-DIRECTION-DEFAULT'],
    ),
  ),
  breaking(
    'list-sort-default-id',
    'CACHE-LIST-SORT-DEFAULT',
    'lists in the order of ids by default',
    sorting((query) => query.sort === undefined, byId),
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
    ascending((query) => Boolean(query.sort)),
  ),
  breaking(
    'list-direction-default-asc-for-size',
    'CACHE-LIST-DIRECTION-DEFAULT',
    'lists the smallest first where direction is not given',
    ascending((query) => query.sort === 'size_in_bytes'),
  ),
];

const filtered: CacheDeviation[] = [
  breaking(
    'list-filter-not-sorted',
    'CACHE-LIST-FILTER-SORT',
    'does not sort filtered lists',
    sorting((query) => !isPlain(query), byId),
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
];

const paged: CacheDeviation[] = [
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
    ['CACHE-LIST-FILTER-SORT'],
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
    ['CACHE-LIST-FILTER-SORT', 'CACHE-LIST-SORT-*'],
  ),
];

export const listSortDeviations: CacheDeviation[] = [...asked, ...values, ...defaults, ...filtered, ...paged];
