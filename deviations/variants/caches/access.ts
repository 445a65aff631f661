/** Silences about the statuses of refusals, and about the interpretation of tokens and names. */
import type { ClassicScope, Operation } from '../../../reference/caches/index.ts';
import { lightRequest } from '../../kit/light.ts';
import { type CacheVariant, status } from './kit.ts';

/** Endpoints for which section 4 lists no status besides that of success. */
const UNLISTED: readonly Operation[] = [
  'organization-usage',
  'usage-by-repository',
  'repository-usage',
  'list',
  'delete-by-key',
  'delete-by-id',
];
const isUnlisted = (operation: Operation): boolean => UNLISTED.includes(operation);

const LEVELS = ['enterprise', 'organization', 'repository'];

/** The narrower scopes that each scope includes, in a service where wider scopes include narrower ones. */
const INCLUDES: Partial<Record<ClassicScope, readonly ClassicScope[]>> = {
  'admin:enterprise': ['admin:organization', 'read:org', 'admin:repository', 'repo'],
  'admin:organization': ['read:org', 'admin:repository', 'repo'],
  'admin:repository': ['repo'],
};

export const accessVariants: CacheVariant[] = [
  {
    id: 'tokens-are-uuids',
    fills: ['CACHE-SILENCE-INVALID-TOKEN-STATUS'],
    sentence: 'issues UUIDs as tokens, and reads them in either case',
    configure: { token: '5f0c9a4e-7b1d-4c2a-9e3f-0a1b2c3d4e5f' },
    wrap: (next) => async (request) => {
      const { url, method, headers: sent } = request;
      const uuid = /5f0c9a4e-7b1d-4c2a-9e3f-0a1b2c3d4e5f$/i;
      if (!uuid.test(sent.get('authorization') ?? '')) return next(request);
      const headers = new Headers(sent);
      headers.set('authorization', headers.get('authorization')!.replace(uuid, 'classic-full'));
      return next(lightRequest(url, method, headers, await request.text()));
    },
  },
  status('a-permission-is-missing', ['CACHE-SILENCE-REFUSED-OR-HIDDEN'], 'forbidden', 404),
  ...[401, 422].map((code) =>
    status(
      'a-permission-is-missing-on-an-unlisted-endpoint',
      ['CACHE-SILENCE-REFUSAL-UNLISTED'],
      'forbidden',
      code,
      isUnlisted,
    ),
  ),
  ...[410, 403].map((code) =>
    status(
      'a-name-is-unknown-on-an-unlisted-endpoint',
      ['CACHE-SILENCE-UNKNOWN-UNLISTED'],
      'unknown',
      code,
      isUnlisted,
    ),
  ),
  status(
    'a-name-is-unknown',
    ['CACHE-SILENCE-REFUSED-OR-HIDDEN'],
    'unknown',
    403,
    (operation) => !isUnlisted(operation),
  ),
  ...(
    [
      ['hidden', 404],
      ['forbidden', 403],
    ] as const
  ).map(
    ([id, code]): CacheVariant => ({
      id: `no-token-is-${id}`,
      fills: ['CACHE-SILENCE-MISSING-TOKEN-STATUS', 'CACHE-SILENCE-INVALID-TOKEN-STATUS'],
      sentence: `answers ${code} to whoever has no valid token`,
      rules: (original) => ({
        refusalStatus: (reason, operation) =>
          reason === 'unauthenticated' ? code : original.refusalStatus(reason, operation),
        refusalHeaders: () => ({}),
      }),
    }),
  ),
  {
    id: 'made-up-token-is-nobody',
    fills: ['CACHE-SILENCE-INVALID-TOKEN-PUBLIC'],
    sentence: 'treats a made-up token like none, so that public repositories can be read with it',
    rules: (original) => ({
      presentedToken: (authorization, operation) => {
        const token = original.presentedToken(authorization, operation);
        return token?.startsWith('classic-') || token?.startsWith('fine-') ? token : undefined;
      },
    }),
  },
  {
    id: 'token-without-permission-on-public',
    fills: ['CACHE-SILENCE-TOKEN-PUBLIC-LIST', 'CACHE-SILENCE-TOKEN-PUBLIC-USAGE'],
    sentence:
      'requires the permission of tokens on public repositories too, except of classic ones at endpoint 15',
    rules: (original) => ({
      permits: (token, operation, scope, env) => {
        const open = env.rules.opensToAnyone(operation, scope);
        if (open && operation === 'repository-usage' && token.permissions === undefined) return true;
        const suffices =
          token.permissions === undefined
            ? env.rules.scopeSuffices(token, operation, env)
            : env.rules.permissionSuffices(token, operation, env);
        return open ? suffices : original.permits(token, operation, scope, env);
      },
    }),
  },
  {
    id: 'wider-scope-includes-narrower',
    fills: ['CACHE-SILENCE-SCOPE-IMPLIES'],
    sentence: 'lets a wider scope include the narrower ones',
    rules: () => ({
      scopeSuffices: (token, operation, env) => {
        const { scope } = env.rules.needs[operation];
        return token.scopes?.some((each) => each === scope || INCLUDES[each]?.includes(scope)) ?? false;
      },
    }),
  },
  {
    id: 'usage-for-readers',
    fills: ['CACHE-PERM-USAGE-FINE-LACKING'],
    sentence:
      'shows the usage of a private repository to every fine-grained token of an account that may read it',
    rules: (original) => ({
      permits: (token, operation, scope, env) =>
        (operation === 'repository-usage' && token.permissions !== undefined) ||
        original.permits(token, operation, scope, env),
    }),
  },
  {
    id: 'higher-level-includes-lower',
    fills: ['CACHE-SILENCE-LEVEL-IMPLIES'],
    sentence: 'lets Administration of a level include the levels below it',
    rules: (original) => ({
      permissionSuffices: (token, operation, env) => {
        if (original.permissionSuffices(token, operation, env)) return true;
        const { category, access } = env.rules.needs[operation];
        const height = LEVELS.indexOf(category.split('/')[0]!);
        return LEVELS.slice(0, height).some((level) =>
          [access, 'write'].some((each) =>
            token.permissions?.some((held) => held === `${level}/administration:${each}`),
          ),
        );
      },
    }),
  },
  {
    id: 'write-does-not-include-read',
    fills: ['CACHE-SILENCE-WRITE-IMPLIES-READ'],
    sentence: 'requires level read where the table does, and does not accept level write in its place',
    rules: (original) => ({
      permissionSuffices: (token, operation, env) => {
        const { category, access } = env.rules.needs[operation];
        return access === 'read'
          ? (token.permissions?.includes(`${category}:read`) ?? false)
          : original.permissionSuffices(token, operation, env);
      },
    }),
  },
  {
    id: 'bearer-only',
    fills: ['CACHE-SILENCE-TOKEN-SCHEME'],
    sentence: 'accepts a token under the scheme Bearer only',
    rules: () => ({
      presentedToken: (authorization) =>
        authorization === undefined ? undefined : (/^bearer +(\S+)$/i.exec(authorization.trim())?.[1] ?? ''),
    }),
  },
  {
    id: 'enterprise-in-any-case',
    fills: ['CACHE-SILENCE-ENTERPRISE-CASE'],
    sentence: 'compares the enterprise without regard to case',
    rules: () => ({ sameEnterprise: (asked, slug) => asked.toLowerCase() === slug.toLowerCase() }),
  },
  {
    id: 'git-suffix',
    fills: ['CACHE-SILENCE-REPO-GIT-SUFFIX'],
    sentence: 'finds a repository with .git after its name',
    rules: (original) => ({
      sameRepository: (asked, name, operation) =>
        original.sameRepository(asked.replace(/\.git$/i, ''), name, operation),
    }),
  },
  {
    id: 'version-needed',
    fills: ['CACHE-SILENCE-VERSION-ABSENT'],
    sentence: 'refuses a request that selects no version',
    rules: () => ({ acceptsVersion: (version) => version === '2026-03-10' }),
  },
  {
    id: 'any-version',
    fills: ['CACHE-SILENCE-VERSION-UNKNOWN'],
    sentence: 'serves every version alike',
    rules: () => ({ acceptsVersion: () => true }),
  },
  status('the-version-is-unknown', ['CACHE-SILENCE-VERSION-UNKNOWN'], 'version', 406),
];
