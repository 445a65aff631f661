/** Public repositories, and what the account of a token may do (section 5). */
import { defaultNames, type Operation } from '../../reference/caches/index.ts';
import { breaking, type CacheDeviation, KINDS, readOf, setOf } from './kit.ts';
import { asking, isPublic, opening } from './permissions-kit.ts';

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
    `requires a token for ${concerned} of a public repository`,
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
    'requires the scope repo for the usage of a public repository',
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
    'checks the scopes of a token but not what its account may read',
    () => ({ accountSees: () => true }),
    ['CACHE-PERM-LIST-STRANGER', 'CACHE-PERM-DELETE-STRANGER'],
  ),
];

/**
 * Permits operations on public repositories whatever scopes or permissions a token has, where its account may
 * perform them.
 */
const unasked = (
  id: string,
  breaks: string[],
  sentence: string,
  operations: readonly Operation[],
  family: 'scopes' | 'permissions',
): CacheDeviation =>
  breaking(id, breaks, sentence, (original) => ({
    permits: (token, operation, scope, env) =>
      original.permits(token, operation, scope, env) ||
      (operations.includes(operation) &&
        isPublic(scope) &&
        token[family] !== undefined &&
        original.accountMay(token, operation)),
  }));

const DELETIONS = ['delete-by-key', 'delete-by-id'] as const;

const unaskedOf: CacheDeviation[] = [
  ...DELETIONS.flatMap((operation) => [
    unasked(
      `public-${operation}-without-scope`,
      ['CACHE-PERM-DELETE-CLASSIC-LACKING'],
      `requires no scope for ${operation} in a public repository`,
      [operation],
      'scopes',
    ),
    unasked(
      `public-${operation}-without-permission`,
      ['CACHE-PERM-DELETE-FINE-LACKING', 'CACHE-PERM-DELETE-FINE-READ'],
      `requires no permission for ${operation} in a public repository`,
      [operation],
      'permissions',
    ),
  ]),
  ...KINDS.flatMap((kind) => [
    unasked(
      `public-${kind}-read-without-scope`,
      [`CACHE-PERM-REPO-${kind.toUpperCase()}-GET-CLASSIC-LACKING`],
      `requires no scope for the ${kind} limit of a public repository`,
      [readOf('repository', kind)],
      'scopes',
    ),
    unasked(
      `public-${kind}-set-without-permission`,
      ['CACHE-PERM-REPO-SET-FINE-LACKING'],
      `requires no permission for setting the ${kind} limit of a public repository`,
      [setOf('repository', kind)],
      'permissions',
    ),
  ]),
];

const isLater = (query: URLSearchParams): boolean => Number(query.get('page')) > 1;
const ISSUED = /^(classic|fine)-/;
const isFiltered = (query: URLSearchParams): boolean => query.has('key');

const further: CacheDeviation[] = [
  ...(['list', 'usage'] as const).map(
    (what): CacheDeviation => ({
      id: `public-${what}-of-the-name-as-it-is-written`,
      breaks: [`CACHE-ANON-${what.toUpperCase()}-PUBLIC`],
      sentence: `requires a token for the ${what} of a public repository whose name is in another case`,
      wrap: (next) => async (request) => {
        const [owner, name, path] = /^.*\/repos\/([^/]+)\/([^/]+)\/actions\/(.*)$/
          .exec(new URL(request.url).pathname)
          ?.slice(1) ?? ['', '', ''];
        const isOther = `${owner}/${name}` !== defaultNames.publicRepository;
        const isAsked = path === (what === 'list' ? 'caches' : 'cache/usage');
        return isAsked && isOther && !request.headers.has('authorization')
          ? Response.json({ message: 'refused' }, { status: 401 })
          : next(request);
      },
    }),
  ),
  {
    id: 'public-list-later-pages-need-a-token',
    breaks: ['CACHE-ANON-LIST-PUBLIC'],
    sentence: 'requires a token from the second page of the list of a public repository on',
    wrap: asking(isLater, (token) => token),
  },
  {
    id: 'public-list-sorted-needs-a-token',
    breaks: ['CACHE-ANON-LIST-PUBLIC'],
    sentence: 'requires a token where the list of a public repository is filtered',
    wrap: asking(isFiltered, (token) => token),
  },
  {
    id: 'list-later-pages-open',
    breaks: ['CACHE-AUTH-LIST-MISSING'],
    // An empty bearer token is none either.
    entails: ['CACHE-AUTH-LIST-INVALID'],
    sentence: 'serves a list without a token from the second page on',
    wrap: asking(isLater, (token) => token ?? 'classic-full'),
  },
  {
    id: 'list-filtered-with-any-token',
    breaks: [
      'CACHE-PERM-LIST-CLASSIC-LACKING',
      'CACHE-PERM-LIST-FINE-LACKING',
      'CACHE-AUTH-LIST-INVALID',
      'CACHE-PERM-LIST-STRANGER',
    ],
    sentence: 'accepts any token where a list is filtered',
    wrap: asking(isFiltered, (token = '') => (ISSUED.test(token) ? 'classic-full' : token)),
  },
  {
    id: 'list-later-pages-for-writers',
    breaks: ['CACHE-PERM-LIST-FINE'],
    sentence: 'requires level write from the second page of a list on',
    wrap: asking(isLater, (token) =>
      token === 'fine-only-repository-actions-read' ? undefined : (token ?? ''),
    ),
  },
];

export const publicDeviations: CacheDeviation[] = [...anonymous, ...accounts, ...unaskedOf, ...further];
