/**
 * Tokens that nearly suffice (section 5) and are accepted by a comparison that is too lenient or incomplete.
 */
import type { CacheRules, Env, Operation, Token } from '../../reference/caches/index.ts';
import { breaking, type CacheDeviation, type Changed, KINDS, readOf, setOf } from './kit.ts';

type Level = 'enterprise' | 'organization' | 'repository';

const limits = (does: typeof readOf, level: Level): Operation[] => KINDS.map((kind) => does(level, kind));

/** Accepts, for some operations, also fine-grained tokens for whose permissions `enough` holds. */
const alsoEnough =
  (
    operations: readonly Operation[],
    enough: (permissions: readonly string[], category: string, access: string) => boolean,
  ) =>
  (original: CacheRules): Changed => ({
    permissionSuffices: (token: Token, operation: Operation, env: Env) => {
      const { category, access } = env.rules.needs[operation];
      return (
        original.permissionSuffices(token, operation, env) ||
        (operations.includes(operation) && enough(token.permissions ?? [], category, access))
      );
    },
  });

/** Whether a permission has this level of access or a higher one. */
const reaches = (permission: string, access: string): boolean =>
  permission.endsWith(':write') || permission.endsWith(`:${access}`);

const LEVELS: [code: string, operations: Operation[]][] = [
  ['ENT-GET', limits(readOf, 'enterprise')],
  ['ENT-SET', limits(setOf, 'enterprise')],
  ['ORG-GET', limits(readOf, 'organization')],
  ['ORG-SET', limits(setOf, 'organization')],
  ['ORG-USAGE', ['organization-usage', 'usage-by-repository']],
];

const CATEGORIES: [code: string, operations: Operation[]][] = [
  ['REPO-RETENTION-GET', ['read-repository-retention']],
  ['REPO-STORAGE-GET', ['read-repository-storage']],
  ['REPO-SET', limits(setOf, 'repository')],
  ['LIST', ['list']],
  ['DELETE', ['delete-by-key', 'delete-by-id']],
];

/** A further requirement that fails for rows that require level write. */
const readIsTooLittle = (code: string): string[] =>
  code.endsWith('-SET') || code === 'ENT-GET' || code === 'DELETE' ? [`CACHE-PERM-${code}-FINE-READ`] : [];

const fine: CacheDeviation[] = [
  ...LEVELS.map(([code, operations]) =>
    breaking(
      `${code.toLowerCase()}-administration-of-any-level`,
      // The token that has the required category at level read is accepted for the others that it has.
      [`CACHE-PERM-${code}-FINE-LACKING`, ...readIsTooLittle(code)],
      `treats Administration of a repository as that of a level above it (${code})`,
      alsoEnough(operations, (permissions, _category, access) =>
        permissions.some((each) => each.startsWith('repository/administration:') && reaches(each, access)),
      ),
    ),
  ),
  ...CATEGORIES.map(([code, operations]) =>
    breaking(
      `${code.toLowerCase()}-any-category-of-the-level`,
      [`CACHE-PERM-${code}-FINE-LACKING`, ...readIsTooLittle(code)],
      `accepts any category of the repository level (${code})`,
      alsoEnough(operations, (permissions, _category, access) =>
        permissions.some((each) => each.startsWith('repository/') && reaches(each, access)),
      ),
    ),
  ),
  breaking(
    'category-and-level-of-different-permissions',
    ['ENT-GET', 'ENT-SET', 'ORG-SET', 'REPO-SET', 'DELETE'].map((code) => `CACHE-PERM-${code}-FINE-READ`),
    'looks for the category in one permission and for level write in another',
    alsoEnough(
      [...LEVELS, ...CATEGORIES].flatMap(([, operations]) => operations),
      (permissions, category, access) =>
        access === 'write' &&
        permissions.some((each) => each.startsWith(`${category}:`)) &&
        permissions.some((each) => each.endsWith(':write')),
    ),
  ),
];

/** Accepts also classic tokens with a scope that `same` considers equal to the required one. */
const comparing =
  (same: (held: string, wanted: string) => boolean) =>
  (original: CacheRules): Changed => ({
    scopeSuffices: (token, operation, env) =>
      original.scopeSuffices(token, operation, env) ||
      (token.scopes ?? []).some((held) => same(held, env.rules.needs[operation].scope)),
  });

const lastWord = (scope: string): string => scope.slice(scope.indexOf(':') + 1);

const classic: CacheDeviation[] = [
  breaking(
    'any-admin-scope',
    ['ENT-GET', 'ENT-SET', 'ORG-GET', 'ORG-SET'].map((code) => `CACHE-PERM-${code}-CLASSIC-LACKING`),
    'accepts any scope that begins with admin: where such a scope is required',
    comparing((held, wanted) => held.startsWith('admin:') && wanted.startsWith('admin:')),
  ),
  breaking(
    'scope-by-its-beginning',
    ['ORG-GET', 'ORG-SET', 'REPO-RETENTION-GET', 'REPO-STORAGE-GET', 'REPO-SET'].map(
      (code) => `CACHE-PERM-${code}-CLASSIC-LACKING`,
    ),
    'accepts read:org as admin:organization and repo as admin:repository',
    comparing((held, wanted) => lastWord(wanted).startsWith(lastWord(held))),
  ),
];

const INVALID = [
  'ENT-GET',
  'ORG-GET',
  'ORG-USAGE',
  'REPO-RETENTION-GET',
  'REPO-STORAGE-GET',
  'USAGE',
  'LIST',
].map((code) => `CACHE-AUTH-${code}-INVALID`);

/** Accepts also values that `same` considers equal to a token. */
const finding = (
  id: string,
  sentence: string,
  same: (asked: string, token: string) => boolean,
): CacheDeviation =>
  breaking(
    id,
    INVALID,
    sentence,
    (original) => ({
      findToken: (value, operation, env) =>
        original.findToken(value, operation, env) ??
        (value.length > 3
          ? [...env.state.tokens.values()].find(({ token }) => same(value, token))
          : undefined),
    }),
    ['CACHE-AUTH-*', 'CACHE-PERM-*', 'CACHE-ANON-*'],
  );

const tokens: CacheDeviation[] = [
  finding(
    'token-in-any-case',
    'looks tokens up without regard to case',
    (asked, token) => asked.toLowerCase() === token.toLowerCase(),
  ),
  finding('token-with-more-after-it', 'accepts a token with further characters after it', (asked, token) =>
    asked.startsWith(token),
  ),
  finding('token-with-more-before-it', 'accepts a token with further characters before it', (asked, token) =>
    asked.endsWith(token),
  ),
  finding(
    'token-less-a-letter',
    'accepts a token without its last character',
    (asked, token) => asked === token.slice(0, -1),
  ),
];

/**
 * Permits some operations to an account without access to the repository, as long as its token has the scope.
 */
const strangerMay =
  (operations: readonly Operation[]) =>
  (original: CacheRules): Changed => ({
    accountSees: () => true,
    accountMay: (token, operation) =>
      token.account === 'stranger' ? operations.includes(operation) : original.accountMay(token, operation),
  });

const strangers: CacheDeviation[] = [
  breaking(
    'list-for-strangers',
    'CACHE-PERM-LIST-STRANGER',
    'lists the caches of a private repository for every account whose token has the scope',
    strangerMay(['list']),
  ),
  breaking(
    'deletion-by-strangers',
    'CACHE-PERM-DELETE-STRANGER',
    'deletes caches of a private repository for every account whose token has the scope',
    strangerMay(['delete-by-key', 'delete-by-id']),
  ),
];

export const nearPermissionDeviations: CacheDeviation[] = [...fine, ...classic, ...tokens, ...strangers];
