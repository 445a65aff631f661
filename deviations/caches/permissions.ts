/** Who may do what (section 5), and what a request selects (sections 4 and 9). */
import type { CacheRules, Env, Operation, Scope, Token } from '../../reference/caches/index.ts';
import type { Handler } from '../../reference/kit/service.ts';
import { asksFor, breaking, type CacheDeviation, type Changed, KINDS, readOf, setOf } from './kit.ts';

/** One row of the table: how ids spell it, its operations, and whether level read is too little. */
interface Row {
  code: string;
  operations: Operation[];
  write: boolean;
}

const row = (code: string, write: boolean, ...operations: Operation[]): Row => ({ code, write, operations });
const both = (of: (kind: 'retention' | 'storage') => Operation): Operation[] => KINDS.map(of);

const ROWS: readonly Row[] = [
  row('ENT-GET', true, ...both((kind) => readOf('enterprise', kind))),
  row('ENT-SET', true, ...both((kind) => setOf('enterprise', kind))),
  row('ORG-GET', false, ...both((kind) => readOf('organization', kind))),
  row('ORG-SET', true, ...both((kind) => setOf('organization', kind))),
  row('ORG-USAGE', false, 'organization-usage', 'usage-by-repository'),
  row('REPO-RETENTION-GET', false, 'read-repository-retention'),
  row('REPO-SET', true, ...both((kind) => setOf('repository', kind))),
  row('REPO-STORAGE-GET', false, 'read-repository-storage'),
  row('USAGE', false, 'repository-usage'),
  row('LIST', false, 'list'),
  row('DELETE', true, 'delete-by-key', 'delete-by-id'),
];

type Suffices = (token: Token, operation: Operation, env: Env, original: CacheRules) => boolean;

/** Another answer to whether a token's own scopes or permissions are enough for a row. */
const sufficing =
  (rule: 'scopeSuffices' | 'permissionSuffices', { operations }: Row, suffices: Suffices) =>
  (original: CacheRules): Changed => ({
    [rule]: (token: Token, operation: Operation, env: Env) =>
      operations.includes(operation)
        ? suffices(token, operation, env, original)
        : original[rule](token, operation, env),
  });

const isPublic = (scope: Scope): boolean => scope.level === 'repository' && !scope.private;

/** Opens operations without a token; what a valid token may do stays as it was. */
const opening =
  (opens: (operation: Operation, scope: Scope, original: CacheRules) => boolean) =>
  (original: CacheRules): Changed => ({
    opensToAnyone: (operation, scope) => opens(operation, scope, original),
    permits: (token, operation, scope, env) =>
      original.permits(token, operation, scope, {
        ...env,
        rules: { ...env.rules, opensToAnyone: original.opensToAnyone },
      }),
  });

/** Does what it refuses with one of these statuses: the permission is looked at too late. */
const actingAll =
  (operations: readonly Operation[], statuses: readonly number[]) =>
  (next: Handler): Handler => {
    const concerns = asksFor(operations);
    return async (request) => {
      const { method, headers } = request;
      const text = await request.text();
      const again = (own: Headers) =>
        next(new Request(request.url, { method, headers: own, ...(text === '' ? {} : { body: text }) }));
      const response = await again(headers);
      const url = new URL(request.url);
      if (statuses.includes(response.status) && concerns({ method, url, headers, text })) {
        const full = new Headers(headers);
        full.set('authorization', 'Bearer classic-full');
        await again(full);
      }
      return response;
    };
  };

const rows: CacheDeviation[] = ROWS.flatMap((each) => {
  const { code, operations, write } = each;
  const name = code.toLowerCase();
  const id = (what: string) => `CACHE-PERM-${code}-${what}`;
  const auth = (what: string) => `CACHE-AUTH-${code}-${what}`;
  const changes = code.endsWith('-SET') || code === 'DELETE';
  return [
    breaking(
      `${name}-every-scope`,
      id('CLASSIC'),
      `asks classic tokens for more than one scope (${code})`,
      sufficing(
        'scopeSuffices',
        each,
        (token, operation, env, original) =>
          original.scopeSuffices(token, operation, env) && (token.scopes?.length ?? 0) > 1,
      ),
    ),
    breaking(
      `${name}-any-scope`,
      id('CLASSIC-LACKING'),
      `takes every classic token, whatever its scopes (${code})`,
      sufficing('scopeSuffices', each, () => true),
    ),
    breaking(
      `${name}-several-permissions`,
      id('FINE'),
      `asks fine-grained tokens for more than one permission (${code})`,
      sufficing(
        'permissionSuffices',
        each,
        (token, operation, env, original) =>
          original.permissionSuffices(token, operation, env) && (token.permissions?.length ?? 0) > 1,
      ),
    ),
    breaking(
      `${name}-any-permission`,
      id('FINE-LACKING'),
      `takes every fine-grained token that has nothing of the category (${code})`,
      sufficing('permissionSuffices', each, (token, operation, env, original) => {
        const { category } = env.rules.needs[operation];
        const has = token.permissions?.some((permission) => permission.startsWith(`${category}:`));
        return !has || original.permissionSuffices(token, operation, env);
      }),
    ),
    ...(write
      ? [
          breaking(
            `${name}-read-is-enough`,
            id('FINE-READ'),
            `takes level read where write is asked for (${code})`,
            sufficing('permissionSuffices', each, (token, operation, env, original) => {
              const { category } = env.rules.needs[operation];
              return (
                token.permissions?.includes(`${category}:read`) ||
                original.permissionSuffices(token, operation, env)
              );
            }),
          ),
        ]
      : [
          breaking(
            `${name}-write-only`,
            id('FINE'),
            `asks for level write where read is enough (${code})`,
            sufficing('permissionSuffices', each, (token, operation, env, original) => {
              const { category } = env.rules.needs[operation];
              return (
                (token.permissions?.includes(`${category}:write`) ?? false) &&
                original.permissionSuffices(token, operation, env)
              );
            }),
          ),
        ]),
    breaking(
      `${name}-without-token`,
      auth('MISSING'),
      `serves requests without a token (${code})`,
      opening(
        (operation, scope, original) =>
          original.opensToAnyone(operation, scope) || (operations.includes(operation) && !isPublic(scope)),
      ),
    ),
    breaking(
      `${name}-made-up-token`,
      auth('INVALID'),
      `takes tokens that were never issued (${code})`,
      (original) => ({
        findToken: (value, operation, env) =>
          original.findToken(value, operation, env) ??
          (operations.includes(operation) && value !== ''
            ? original.findToken('classic-full', operation, env)
            : undefined),
      }),
    ),
    ...(changes
      ? [
          {
            id: `${name}-refused-too-late`,
            breaks: [id('CLASSIC-LACKING'), id('FINE-LACKING'), id('FINE-READ')],
            sentence: `does what it refuses with 403 (${code})`,
            wrap: actingAll(operations, [403]),
          },
          {
            id: `${name}-unauthenticated-too-late`,
            breaks: [auth('MISSING'), auth('INVALID')],
            entails: ['CACHE-ANON-LIMITS-PUBLIC', 'CACHE-ANON-DELETE-PUBLIC'],
            sentence: `does what it refuses with 401 (${code})`,
            wrap: actingAll(operations, [401]),
          },
        ]
      : []),
  ];
});

/** The rows with two operations, with one of them open only. */
const halves: CacheDeviation[] = ROWS.filter(({ operations }) => operations.length > 1).flatMap(
  ({ code, operations }) =>
    operations.map((operation) =>
      breaking(
        `${operation}-any-scope`,
        `CACHE-PERM-${code}-CLASSIC-LACKING`,
        `does not look at the scopes of classic tokens in ${operation}`,
        sufficing('scopeSuffices', row(code, false, operation), () => true),
      ),
    ),
);

const open = (
  id: string,
  breaks: string,
  sentence: string,
  operations: readonly Operation[],
): CacheDeviation =>
  breaking(
    id,
    breaks,
    sentence,
    opening(
      (operation, scope, original) =>
        original.opensToAnyone(operation, scope) || (operations.includes(operation) && isPublic(scope)),
    ),
  );

const closed = (id: string, breaks: string, concerned: Operation): CacheDeviation =>
  breaking(
    id,
    breaks,
    `asks for a token in ${concerned} of a public repository`,
    opening(
      (operation, scope, original) => operation !== concerned && original.opensToAnyone(operation, scope),
    ),
  );

const anonymous: CacheDeviation[] = [
  closed('public-usage-needs-a-token', 'CACHE-ANON-USAGE-PUBLIC', 'repository-usage'),
  closed('public-list-needs-a-token', 'CACHE-ANON-LIST-PUBLIC', 'list'),
  open(
    'public-limits-read-by-anyone',
    'CACHE-ANON-LIMITS-PUBLIC',
    'shows the limits of a public repository to anyone',
    KINDS.map((kind) => readOf('repository', kind)),
  ),
  open(
    'public-limits-set-by-anyone',
    'CACHE-ANON-LIMITS-PUBLIC',
    'lets anyone set the limits of a public repository',
    KINDS.map((kind) => setOf('repository', kind)),
  ),
  open(
    'public-delete-by-key',
    'CACHE-ANON-DELETE-PUBLIC',
    'lets anyone delete by key in a public repository',
    ['delete-by-key'],
  ),
  open('public-delete-by-id', 'CACHE-ANON-DELETE-PUBLIC', 'lets anyone delete by id in a public repository', [
    'delete-by-id',
  ]),
];

const accounts: CacheDeviation[] = [
  breaking(
    'public-usage-needs-a-scope',
    'CACHE-PERM-USAGE-PUBLIC-CLASSIC',
    'asks for repo in the usage of a public repository',
    (original) => ({
      permits: (token, operation, scope, env) =>
        original.permits(token, operation, scope, env) &&
        (operation !== 'repository-usage' || token.scopes === undefined || token.scopes.includes('repo')),
    }),
  ),
  breaking(
    'usage-for-administrators',
    'CACHE-PERM-USAGE-READER',
    'shows usage to administrators of a repository only',
    (original) => ({
      accountMay: (token, operation) =>
        original.accountMay(token, operation) &&
        (operation !== 'repository-usage' || token.account !== 'reader'),
    }),
  ),
  breaking(
    'usage-for-strangers',
    'CACHE-PERM-USAGE-STRANGER',
    'looks at the scopes of a token and not at what its account may read',
    () => ({ accountSees: () => true }),
  ),
];

const selects: CacheDeviation[] = [
  {
    id: 'recommended-accept-refused',
    breaks: ['CACHE-ACCEPT-RECOMMENDED'],
    entails: ['*'],
    sentence: 'answers 406 to its own media type',
    wrap: (next) => async (request) =>
      (request.headers.get('accept') ?? '').includes('vnd.service')
        ? Response.json({ message: 'not acceptable' }, { status: 406 })
        : next(request),
  },
  {
    id: 'accept-demanded',
    breaks: ['CACHE-ACCEPT-ABSENT'],
    sentence: 'answers 406 to everything but its own media type',
    wrap: (next) => async (request) =>
      (request.headers.get('accept') ?? '').includes('vnd.service')
        ? next(request)
        : Response.json({ message: 'not acceptable' }, { status: 406 }),
  },
  {
    id: 'version-refused',
    breaks: ['CACHE-VERSION-HEADER'],
    entails: ['*'],
    sentence: 'refuses the version of the examples',
    rules: () => ({ acceptsVersion: (version) => version !== '2026-03-10' }),
  },
];

const advised: CacheDeviation[] = [
  breaking('content-type-text', 'CACHE-ADVISED-CONTENT-TYPE', 'sends JSON as text', () => ({
    contentType: 'text/plain',
  })),
  breaking('no-challenge', 'CACHE-ADVISED-WWW-AUTHENTICATE', 'answers 401 without a challenge', () => ({
    refusalHeaders: () => ({}),
  })),
  breaking('scheme-in-one-case', 'CACHE-ADVISED-SCHEME-CASE', 'compares the scheme with its case', () => ({
    presentedToken: (authorization) =>
      authorization === undefined ? undefined : (/^Bearer (\S+)$/.exec(authorization)?.[1] ?? ''),
  })),
  breaking(
    'malformed-500',
    'CACHE-ADVISED-MALFORMED-4XX',
    'answers 500 to a malformed setting',
    (original) => ({
      refusalStatus: (reason, operation) =>
        reason === 'malformed' ? 500 : original.refusalStatus(reason, operation),
    }),
    // The statuses of the table are all of the 400s.
    ['CACHE-*-SET-REFUSAL'],
  ),
  breaking(
    'link-to-the-same-page',
    'CACHE-ADVISED-LINK',
    'leads from every page to itself as the next',
    (original) => ({
      linkHeader: (facts) =>
        original.linkHeader(facts) === undefined ? undefined : `<${facts.url.href}>; rel="next"`,
    }),
  ),
  breaking(
    'same-setting-refused',
    'CACHE-ADVISED-PUT-IDEMPOTENT',
    'refuses a setting that changes nothing',
    (original) => ({
      admitLimit: (change, operation, env) =>
        change.scope.level === 'repository' && change.scope.limits[change.kind] === change.value
          ? undefined
          : original.admitLimit(change, operation, env),
    }),
    ['*'],
  ),
];

export const permissionDeviations: CacheDeviation[] = [
  ...rows,
  ...halves,
  ...anonymous,
  ...accounts,
  ...selects,
  ...advised,
];
