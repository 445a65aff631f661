/** Callers whose token permits less than it is given, and limits too large to be compared as a whole (sections 1 and 5). */
import type { Operation, Token } from '../../reference/caches/index.ts';
import { type AnswerChange, changeAnswers, withBody } from '../kit/answers.ts';
import { breaking, type CacheDeviation, KINDS, kindCode } from './kit.ts';
import { LIST, REPOSITORY_USAGE as USAGE, USAGE_BY_REPOSITORY } from './surface.ts';

type Account = Token['account'];
type Fields = Record<string, unknown>;

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

/** Shows zeros in the usage of a repository to callers whose token `to` selects. */
const showingZeros = (
  id: string,
  breaks: string,
  whom: string,
  to: (token: string | undefined) => boolean,
): CacheDeviation => ({
  id,
  breaks: [breaks],
  sentence: `shows zeros to ${whom} who read the usage of a repository`,
  wrap: changeAnswers(
    ({ method, url, headers }) =>
      method === 'GET' && USAGE.test(url.pathname) && to(headers.get('authorization')?.split(' ')[1]),
    (response) =>
      response.ok
        ? withBody(response, (body) => ({
            ...(body as Fields),
            active_caches_size_in_bytes: 0,
            active_caches_count: 0,
          }))
        : response,
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
  showingZeros(
    'public-usage-zero-without-token',
    'CACHE-ANON-USAGE-PUBLIC',
    'those without a token',
    (token) => token === undefined,
  ),
  showingZeros(
    'usage-zero-for-readers',
    'CACHE-PERM-USAGE-READER',
    'accounts with read access only',
    (token) => token === 'classic-reader',
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
      const usual = new Map<string, string>();
      return async (request) => {
        const { pathname } = new URL(request.url);
        const response = await next(request);
        if (!USAGE_BY_REPOSITORY.test(pathname) || !response.ok) return response;
        const first = usual.get(pathname.toLowerCase()) ?? pathname;
        usual.set(pathname.toLowerCase(), first);
        if (pathname === first) return response;
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

export const otherCallerDeviations: CacheDeviation[] = [...callers, ...caps, ...accounts];
