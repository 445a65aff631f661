/** The table of permissions (section 5), row by row. */
import type { CacheRules, Env, Operation, Token } from '../../reference/caches/index.ts';
import type { Handler } from '../../reference/kit/service.ts';
import { asksFor, breaking, type CacheDeviation, type Changed, KINDS, readOf, setOf } from './kit.ts';
import { isPublic, opening } from './permissions-kit.ts';

/** Requirements that a token is needed for public repositories as well, by row. */
const ANONYMOUS: Readonly<Record<string, readonly string[]>> = {
  'REPO-SET': ['CACHE-ANON-LIMITS-PUBLIC'],
  DELETE: ['CACHE-ANON-DELETE-PUBLIC'],
};

/** One row of the table: its name in ids, its operations, and whether it requires level write. */
interface Row {
  code: string;
  operations: Operation[];
  write: boolean;
}

const row = (code: string, write: boolean, ...operations: Operation[]): Row => ({ code, write, operations });
const both = (of: (kind: 'retention' | 'storage') => Operation): Operation[] => KINDS.map(of);

export const ROWS: readonly Row[] = [
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

/** Decides whether a token suffices; `usual` is the correct decision. */
type Suffices = (
  usual: boolean,
  token: Token,
  category: CacheRules['needs'][Operation]['category'],
) => boolean;

/** Replaces the decision whether the scopes or permissions of a token suffice for some operations. */
const sufficing =
  (rule: 'scopeSuffices' | 'permissionSuffices', operations: readonly Operation[], suffices: Suffices) =>
  (original: CacheRules): Changed => ({
    [rule]: (token: Token, operation: Operation, env: Env) => {
      const usual = original[rule](token, operation, env);
      return operations.includes(operation)
        ? suffices(usual, token, env.rules.needs[operation].category)
        : usual;
    },
  });

/** Checks the permission too late: carries out requests and then refuses them with this status. */
const actingAll =
  (operations: readonly Operation[], status: number) =>
  (next: Handler): Handler => {
    const concerns = asksFor(operations);
    return async (request) => {
      const { method, headers } = request;
      const text = await request.text();
      const again = (own: Headers) =>
        next(new Request(request.url, { method, headers: own, ...(text === '' ? {} : { body: text }) }));
      const response = await again(headers);
      const url = new URL(request.url);
      if (response.status === status && concerns({ method, url, headers, text })) {
        const full = new Headers(headers);
        full.set('authorization', 'Bearer classic-full');
        await again(full);
      }
      return response;
    };
  };

const rows: CacheDeviation[] = ROWS.flatMap(({ code, operations, write }) => {
  const name = code.toLowerCase();
  const id = (what: string) => `CACHE-PERM-${code}-${what}`;
  const auth = (what: string) => `CACHE-AUTH-${code}-${what}`;
  const changes = code.endsWith('-SET') || code === 'DELETE';
  const classic = (what: string, breaks: string, sentence: string, suffices: Suffices) =>
    breaking(
      `${name}-${what}`,
      id(breaks),
      `${sentence} (${code})`,
      sufficing('scopeSuffices', operations, suffices),
    );
  const fine = (what: string, breaks: string, sentence: string, suffices: Suffices) =>
    breaking(
      `${name}-${what}`,
      id(breaks),
      `${sentence} (${code})`,
      sufficing('permissionSuffices', operations, suffices),
    );
  return [
    classic(
      'every-scope',
      'CLASSIC',
      'requires more than one scope of classic tokens',
      (usual, { scopes = [] }) => usual && scopes.length > 1,
    ),
    classic('any-scope', 'CLASSIC-LACKING', 'accepts every classic token, whatever its scopes', () => true),
    fine(
      'several-permissions',
      'FINE',
      'requires more than one permission of fine-grained tokens',
      (usual, { permissions = [] }) => usual && permissions.length > 1,
    ),
    // For endpoint 15, the specification leaves open what a fine-grained token without the permission gets.
    ...(code === 'USAGE'
      ? []
      : [
          fine(
            'any-permission',
            'FINE-LACKING',
            'accepts every fine-grained token that has nothing of the category',
            (usual, { permissions = [] }, category) =>
              usual || !permissions.some((each) => each.startsWith(`${category}:`)),
          ),
        ]),
    write
      ? fine(
          'read-is-enough',
          'FINE-READ',
          'accepts level read where write is required',
          (usual, { permissions = [] }, category) => usual || permissions.includes(`${category}:read`),
        )
      : fine(
          'write-only',
          'FINE',
          'requires level write where read is enough',
          (usual, { permissions = [] }, category) => usual && permissions.includes(`${category}:write`),
        ),
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
      `accepts tokens that were never issued (${code})`,
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
            entails: ['CACHE-PERM-REPO-SET-READER', 'CACHE-PERM-DELETE-READER'],
            sentence: `carries out what it refuses with 403 (${code})`,
            wrap: actingAll(operations, 403),
          },
          {
            id: `${name}-unauthenticated-too-late`,
            breaks: [auth('MISSING'), auth('INVALID'), ...(ANONYMOUS[code] ?? [])],
            entails: ['CACHE-ANON-LIMITS-PUBLIC', 'CACHE-ANON-DELETE-PUBLIC'],
            sentence: `carries out what it refuses with 401 (${code})`,
            wrap: actingAll(operations, 401),
          },
        ]
      : []),
  ];
});

/** For rows with two operations: only one of them accepts any classic token. */
const halves: CacheDeviation[] = ROWS.filter(({ operations }) => operations.length > 1).flatMap(
  ({ code, operations }) =>
    operations.map((operation) =>
      breaking(
        `${operation}-any-scope`,
        `CACHE-PERM-${code}-CLASSIC-LACKING`,
        `does not check the scopes of classic tokens in ${operation}`,
        sufficing('scopeSuffices', [operation], () => true),
      ),
    ),
);
export const permissionDeviations: CacheDeviation[] = [...rows, ...halves];
