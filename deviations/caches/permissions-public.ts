/** Public repositories, and whose token it is (section 5). */
import type { Operation } from '../../reference/caches/index.ts';
import { breaking, type CacheDeviation, KINDS, readOf, setOf } from './kit.ts';
import { isPublic, opening } from './permissions-kit.ts';

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

export const publicDeviations: CacheDeviation[] = [...anonymous, ...accounts];
