/** Lists, figures and deletions: pages out of range, ties, unused repositories, lag, deletions of nothing. */
import {
  type Cache,
  type CacheRules,
  type Operation,
  type Reason,
  Refusal,
} from '../../../reference/caches/index.ts';
import type { Variant } from '../../types.ts';

type CacheVariant = Variant<CacheRules>;

const isPositive = (raw: string): boolean => /^[1-9]\d{0,8}$/.test(raw);

/** What a list is asked for in a way that is left open is refused. */
const refusedQuery = (
  id: string,
  fills: string[],
  sentence: string,
  bad: (query: Record<string, string>) => boolean,
): CacheVariant => ({
  id,
  fills,
  sentence,
  wrap: (next) => async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const listed =
      /\/actions\/(caches|cache\/usage-by-repository)$/.test(pathname) && request.method === 'GET';
    const { status } = listed ? await next(request.clone()) : { status: 0 };
    return status === 200 && bad(Object.fromEntries(searchParams))
      ? Response.json({ error: 'bad query' }, { status: 422 })
      : next(request);
  },
});

const deletingNothing = (id: string, status: number): CacheVariant => ({
  id: `nothing-to-delete-by-key-${id}`,
  fills: ['CACHE-SILENCE-DELETE-KEY-NONE'],
  sentence: `answers ${status} when no cache has the key, or the key and the reference`,
  rules: (original) => ({
    cachesToDelete: (repository, query, env) => {
      const doomed = original.cachesToDelete(repository, query, env);
      if (doomed.length === 0) throw new Refusal('key-missing');
      return doomed;
    },
    refusalStatus: (reason, operation) =>
      reason === 'key-missing' && operation === 'delete-by-key'
        ? status
        : original.refusalStatus(reason, operation),
  }),
});

const status = (
  id: string,
  fills: string[],
  reason: Reason,
  operation: Operation,
  code: number,
): CacheVariant => ({
  id: `${id}-${code}`,
  fills,
  sentence: `answers ${code} where ${id.replaceAll('-', ' ')}`,
  rules: (original) => ({
    refusalStatus: (why, each) =>
      why === reason && each === operation ? code : original.refusalStatus(why, each),
  }),
});

/** Caches with equal sort values in another order. */
const ties = (id: string, sentence: string, compare: (a: Cache, b: Cache) => number): CacheVariant => ({
  id: `ties-${id}`,
  fills: ['CACHE-SILENCE-LIST-TIES'],
  sentence,
  rules: (original) => ({
    sortCaches: (caches, query, env) => original.sortCaches([...caches].sort(compare), query, env),
  }),
});

export const listVariants: CacheVariant[] = [
  {
    id: 'per-page-above-maximum-is-default',
    fills: ['CACHE-SILENCE-PER-PAGE-ABOVE-MAX'],
    sentence: 'takes the default where per_page is above the maximum',
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
    'refuses a per_page that is no positive number',
    ({ per_page }) => per_page !== undefined && !isPositive(per_page),
  ),
  {
    id: 'per-page-zero-is-one',
    fills: ['CACHE-SILENCE-PER-PAGE-INVALID'],
    sentence: 'takes per_page 0 for 1 and text for 100',
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
    'refuses a page that is no positive number',
    ({ page }) => page !== undefined && !isPositive(page),
  ),
  {
    id: 'page-past-end-is-last',
    fills: ['CACHE-SILENCE-PAGE-PAST-END'],
    sentence: 'gives the last page for one past the end',
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
    sentence: 'gives the first page for one past the end',
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
    sentence: 'takes a bare branch name for the branch',
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
  {
    id: 'unused-repositories-listed',
    fills: ['CACHE-SILENCE-BY-REPO-UNUSED'],
    sentence: 'lists repositories without caches in usage by repository',
    rules: () => ({ listsFigures: () => true }),
  },
  ...(['size', 'name', 'newest'] as const).map(
    (order): CacheVariant => ({
      id: `by-repository-order-${order}`,
      fills: ['CACHE-SILENCE-BY-REPO-ORDER'],
      sentence: `orders usage by repository by ${order}`,
      rules: (original) => ({
        repositoriesOf: (organization, operation, env) => {
          const found = original.repositoriesOf(organization, operation, env);
          if (order === 'newest') return found.reverse();
          if (order === 'name')
            return found.sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
          const { figures } = env.rules.currentSnapshot(env);
          const size = (each: (typeof found)[number]) => figures.get(each)?.sizeInBytes ?? 0;
          return found.sort((a, b) => size(b) - size(a) || (a.name < b.name ? -1 : 1));
        },
      }),
    }),
  ),
  {
    id: 'figures-at-once',
    fills: ['CACHE-SILENCE-USAGE-LAG'],
    sentence: 'computes figures when they are asked for',
    rules: () => ({
      repositoryFigures: (repository, _operation, env) =>
        env.rules.figuresOf(env.rules.activeCaches(repository, env)),
    }),
  },
  {
    id: 'figures-after-ten-minutes',
    fills: ['CACHE-SILENCE-USAGE-LAG'],
    sentence: 'lags by ten minutes',
    rules: () => ({ refreshInterval: 10 * 60_000 }),
  },
  deletingNothing('unknown', 404),
  deletingNothing('unprocessable', 422),
  status('a-deletion-has-no-key', ['CACHE-SILENCE-DELETE-KEY-MISSING'], 'key-missing', 'delete-by-key', 422),
  status('a-deletion-has-no-key', ['CACHE-SILENCE-DELETE-KEY-MISSING'], 'key-missing', 'delete-by-key', 404),
  status(
    'an-id-has-no-cache',
    ['CACHE-SILENCE-DELETE-ID-NONE', 'CACHE-SILENCE-DELETE-ID-OTHER-REPO'],
    'unknown',
    'delete-by-id',
    410,
  ),
  {
    id: 'deleting-what-is-gone-is-done',
    fills: ['CACHE-SILENCE-DELETE-ID-NONE', 'CACHE-SILENCE-DELETE-ID-OTHER-REPO'],
    sentence: 'answers 204 to the deletion of an id that no cache of the repository has',
    rules: (original) => ({
      cacheById: (repository, id, env) =>
        original.cacheById(repository, id, env) ?? ({ id: -1, repository } as unknown as Cache),
    }),
  },
  {
    id: 'id-that-is-no-integer',
    fills: ['CACHE-SILENCE-DELETE-ID-TEXT'],
    sentence: 'answers 400 to an id that is not an integer',
    rules: (original) => ({
      cacheById: (repository, id, env) => {
        if (!/^\d+$/.test(id)) throw new Refusal('malformed');
        return original.cacheById(repository, id, env);
      },
    }),
  },
  {
    id: 'id-of-another-repository-forbidden',
    fills: ['CACHE-SILENCE-DELETE-ID-OTHER-REPO'],
    sentence: "answers 403 to the id of another repository's cache",
    rules: (original) => ({
      cacheById: (repository, id, env) => {
        const found = original.cacheById(repository, id, env);
        if (found === undefined && env.state.caches.some((cache) => String(cache.id) === id))
          throw new Refusal('forbidden');
        return found;
      },
    }),
  },
];
