/**
 * Answers that are wrong only with a filter or an order, or for one sort of caller, and lists that hide caches
 * (endpoints 10, 15 and 16).
 */
import type { Cache, CacheRules, ListQuery, Operation, Token } from '../../reference/caches/index.ts';
import { type AnswerChange, changeAnswers, withBody } from '../kit/answers.ts';
import { breaking, type CacheDeviation, type Changed, KINDS, kindCode } from './kit.ts';
import { LIST, REPOSITORY_USAGE as USAGE, USAGE_BY_REPOSITORY } from './surface.ts';

type Account = Token['account'];
type Fields = Record<string, unknown>;

/** Changes the entries of lists for which `which` holds. */
const ofLists = (
  which: (query: URLSearchParams) => boolean,
  change: (entry: Fields) => void,
): CacheDeviation['wrap'] =>
  changeAnswers(
    ({ method, url }) => method === 'GET' && LIST.test(url.pathname) && which(url.searchParams),
    (response) =>
      withBody(response, (body) => {
        for (const entry of (body as { actions_caches?: Fields[] }).actions_caches ?? []) change(entry);
        return body;
      }),
  );

const entries: CacheDeviation[] = [
  {
    id: 'entry-of-list-by-key-without-version',
    breaks: ['CACHE-ENTRY-VERSION'],
    sentence: 'leaves out the version of the entries of a list with key',
    wrap: ofLists(
      (query) => query.has('key'),
      (entry) => delete entry.version,
    ),
  },
  {
    id: 'entry-of-list-by-ref-with-short-ref',
    breaks: ['CACHE-ENTRY-REF'],
    sentence: 'shortens the references of the entries of a list with ref',
    wrap: ofLists(
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
    wrap: ofLists(
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
];

/** Empties what is answered with success to callers whose token `to` selects. */
const showingNothing = (
  id: string,
  breaks: string,
  sentence: string,
  path: RegExp,
  to: (token: string | undefined) => boolean,
  body: unknown,
): CacheDeviation => ({
  id,
  breaks: [breaks],
  sentence,
  wrap: changeAnswers(
    ({ method, url, headers }) =>
      method === 'GET' && path.test(url.pathname) && to(headers.get('authorization')?.split(' ')[1]),
    ((response) => (response.ok ? withBody(response, () => body) : response)) satisfies AnswerChange,
  ),
});

const NONE = { total_count: 0, actions_caches: [] };
const callers: CacheDeviation[] = [
  showingNothing(
    'public-list-empty-without-token',
    'CACHE-ANON-LIST-PUBLIC',
    'shows no caches to those without a token, and no refusal either',
    LIST,
    (token) => token === undefined,
    NONE,
  ),
  showingNothing(
    'public-usage-empty-without-token',
    'CACHE-ANON-USAGE-PUBLIC',
    'answers {} to those without a token who read the usage of a public repository',
    USAGE,
    (token) => token === undefined,
    {},
  ),
  showingNothing(
    'list-empty-for-classic-repo',
    'CACHE-PERM-LIST-CLASSIC',
    'shows no caches to a classic token that has no further scope, and no refusal either',
    LIST,
    (token) => token === 'classic-only-repo',
    NONE,
  ),
  showingNothing(
    'list-empty-for-fine-grained-tokens',
    'CACHE-PERM-LIST-FINE',
    'shows no caches to fine-grained tokens, and no refusal either',
    LIST,
    (token) => token?.startsWith('fine-') === true,
    NONE,
  ),
  showingNothing(
    'usage-empty-for-readers',
    'CACHE-PERM-USAGE-READER',
    'answers {} to an account that may only read, where it reads the usage of a repository',
    USAGE,
    (token) => token === 'classic-reader',
    {},
  ),
  showingNothing(
    'organization-limits-empty-for-fine-grained-tokens',
    'CACHE-PERM-ORG-GET-FINE',
    'answers {} to fine-grained tokens that read the limits of an organization',
    /^\/organizations\//,
    (token) => token?.startsWith('fine-') === true,
    {},
  ),
  {
    id: 'by-repo-figures-lost-in-other-case',
    breaks: ['CACHE-CASE-ORG-BY-REPO'],
    sentence: 'shows no figures in usage by repository with the organization in another case',
    wrap: (next) => {
      let usual: string | undefined;
      return async (request) => {
        const { pathname } = new URL(request.url);
        const response = await next(request);
        if (!USAGE_BY_REPOSITORY.test(pathname) || !response.ok) return response;
        usual ??= pathname;
        if (pathname === usual || pathname.toLowerCase() !== usual.toLowerCase()) return response;
        return withBody(response, (body) => {
          for (const item of (body as { repository_cache_usages: Fields[] }).repository_cache_usages)
            Object.assign(item, { active_caches_size_in_bytes: 0, active_caches_count: 0 });
          return body;
        });
      };
    },
  },
];

/** A limit beyond 2^32 is compared with the level above by its lower 32 bits, and stored whole. */
const caps: CacheDeviation[] = KINDS.flatMap((kind) =>
  (
    [
      ['organization', 'ORG-ENT'],
      ['repository', 'REPO-ORG'],
    ] as const
  ).map(([level, rule]) =>
    breaking(
      `${level}-${kind}-cap-in-32-bits`,
      `CACHE-HIER-${kindCode(kind)}-${rule}`,
      `compares the lower 32 bits of the ${kind} limit of ${level === 'repository' ? 'a' : 'an'} ${level} with the levels above`,
      (original) => ({
        limitRange: { ...original.limitRange, [kind]: [1, Number.MAX_SAFE_INTEGER] },
        limitInForce: (scope, asked, env) => {
          const own = scope.limits[asked];
          return scope.level === level && asked === kind && own !== undefined && own > 2 ** 31
            ? own
            : original.limitInForce(scope, asked, env);
        },
        admitLimit: (change, operation, env) => {
          const isConcerned = change.scope.level === level && change.kind === kind;
          const value = isConcerned ? change.value >>> 0 : change.value;
          return original.admitLimit({ ...change, value }, operation, env) === undefined
            ? undefined
            : change.value;
        },
      }),
    ),
  ),
);

/** An account that is not held back from some operations, whatever it may see. */
const letting = (
  id: string,
  breaks: string | string[],
  sentence: string,
  account: Account,
  which: (operation: Operation) => boolean,
): CacheDeviation =>
  breaking(id, breaks, sentence, (original) => ({
    accountSees: (token, scope) => token.account === account || original.accountSees(token, scope),
    permits: (token, operation, scope, env) => {
      if (token.account !== account) return original.permits(token, operation, scope, env);
      if (which(operation)) return true;
      return original.accountSees(token, scope) && original.permits(token, operation, scope, env);
    },
  }));

const accounts: CacheDeviation[] = [
  letting(
    'repository-limits-shown-to-strangers',
    'CACHE-PERM-REPO-GET-STRANGER',
    'lets an account without access read the limits of a private repository',
    'stranger',
    (operation) => /^read-repository/.test(operation),
  ),
  letting(
    'repository-limits-set-by-strangers',
    'CACHE-PERM-REPO-SET-STRANGER',
    'lets an account without access set the limits of a private repository',
    'stranger',
    (operation) => /^set-repository/.test(operation),
  ),
  letting(
    'repository-limits-set-by-readers',
    'CACHE-PERM-REPO-SET-READER',
    'lets an account that may only read set the limits of a repository',
    'reader',
    (operation) => /^set-repository/.test(operation),
  ),
  letting(
    'caches-deleted-by-readers',
    'CACHE-PERM-DELETE-READER',
    'lets an account that may only read delete caches',
    'reader',
    (operation) => operation.startsWith('delete'),
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

export const otherListDeviations: CacheDeviation[] = [
  ...entries,
  ...lists,
  ...queries,
  ...callers,
  ...caps,
  ...accounts,
  ...deletions,
];
