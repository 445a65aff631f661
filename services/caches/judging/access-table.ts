/** The table of section 5: the scope and the permission that each endpoint requires. */
import type { Query } from '../api/client.ts';
import { limitId } from '../requirement-ids/limits.ts';
import type { RowCode } from '../requirement-ids/permissions.ts';
import type { Kind, Level, Scope } from '../vocabulary.ts';

export type Category =
  | 'enterprise/administration'
  | 'organization/administration'
  | 'repository/administration'
  | 'repository/actions';

/** An operation of the eighteen endpoints, distinguished as far as permissions differ. */
export type Operation =
  | { name: string; does: 'read' | 'set'; level: Level; kind: Kind }
  | { name: string; does: 'organization-usage' | 'usage-by-repository' | 'repository-usage' | 'list' }
  | { name: string; does: Deletion };

export type Deletion = 'delete-by-key' | 'delete-by-id';

/** What a token is known to have. */
interface Held {
  scopes?: readonly string[];
  permissions?: readonly string[];
}

/** One row of the table. `code` is how requirement ids spell it. */
export interface Row {
  code: RowCode;
  scope: Scope;
  category: Category;
  access: 'read' | 'write';
  operations: readonly Operation[];
}

const limit = (does: 'read' | 'set', level: Level, ...kinds: Kind[]): Operation[] =>
  kinds.map((kind) => ({ name: `${does}-${level}-${kind}`, does, level, kind }));
const other = <D extends Exclude<Operation['does'], 'read' | 'set'>>(does: D) =>
  ({ name: does, does }) as Operation;
const row = (
  code: RowCode,
  scope: Scope,
  category: Category,
  access: Row['access'],
  operations: Operation[],
): Row => ({ code, scope, category, access, operations });

const ENTERPRISE = ['admin:enterprise', 'enterprise/administration'] as const;
const ORGANIZATION = ['admin:organization', 'organization/administration'] as const;

export const ROWS: readonly Row[] = [
  row('ENT-GET', ...ENTERPRISE, 'write', limit('read', 'enterprise', 'retention', 'storage')),
  row('ENT-SET', ...ENTERPRISE, 'write', limit('set', 'enterprise', 'retention', 'storage')),
  row('ORG-GET', ...ORGANIZATION, 'read', limit('read', 'organization', 'retention', 'storage')),
  row('ORG-SET', ...ORGANIZATION, 'write', limit('set', 'organization', 'retention', 'storage')),
  row('ORG-USAGE', 'read:org', 'organization/administration', 'read', [
    other('organization-usage'),
    other('usage-by-repository'),
  ]),
  row(
    'REPO-RETENTION-GET',
    'admin:repository',
    'repository/administration',
    'read',
    limit('read', 'repository', 'retention'),
  ),
  row(
    'REPO-SET',
    'admin:repository',
    'repository/administration',
    'write',
    limit('set', 'repository', 'retention', 'storage'),
  ),
  row(
    'REPO-STORAGE-GET',
    'admin:repository',
    'repository/actions',
    'read',
    limit('read', 'repository', 'storage'),
  ),
  row('USAGE', 'repo', 'repository/actions', 'read', [other('repository-usage')]),
  row('LIST', 'repo', 'repository/actions', 'read', [other('list')]),
  row('DELETE', 'repo', 'repository/actions', 'write', [other('delete-by-key'), other('delete-by-id')]),
];

/** Returns the row with a code. */
export function rowOf(code: RowCode): Row {
  return ROWS.find((each) => each.code === code)!;
}

/** Returns the row and the operation of one limit endpoint. */
export function limitRow(does: 'read' | 'set', level: Level, kind: Kind): { row: Row; operation: Operation } {
  const name = `${does}-${level}-${kind}`;
  const row = ROWS.find(({ operations }) => operations.some((each) => each.name === name))!;
  return { row, operation: row.operations.find((each) => each.name === name)! };
}

/** Whether a token is said to have just what a row requires. */
export function permits({ scopes, permissions }: Held, { scope, category, access }: Row): boolean {
  return (scopes ? scopes.includes(scope) : permissions?.includes(`${category}:${access}`)) ?? false;
}

/**
 * For each scope, the wider scopes that might include it. The specification leaves open whether a wider scope
 * includes a narrower one, so nothing is concluded from a token that has one of these. `repo` is not wider than
 * `admin:repository`: section 5 requires the one to use the caches of a repository, and the other to administer it.
 */
const WIDER: Readonly<Record<Scope, readonly Scope[]>> = {
  'admin:enterprise': [],
  'admin:organization': ['admin:enterprise'],
  'read:org': ['admin:organization', 'admin:enterprise'],
  'admin:repository': ['admin:organization', 'admin:enterprise'],
  repo: ['admin:repository', 'admin:organization', 'admin:enterprise'],
};
const LEVEL_ORDER = ['enterprise', 'organization', 'repository'];

/** Whether classic scopes clearly do not include the scope that a row requires. */
export function scopesLack(scopes: readonly string[], { scope }: Row): boolean {
  return scopes.every((each) => each in WIDER && each !== scope && !WIDER[scope].includes(each as Scope));
}

/**
 * Whether fine-grained permissions clearly do not include what a row requires: none is in its category, and
 * none is at a level above it. Read access in a category where write access is required is not covered here:
 * it has requirements of its own.
 */
export function permissionsLack(permissions: readonly string[], { category }: Row): boolean {
  const height = (name: string) => LEVEL_ORDER.indexOf(name.split('/')[0]!);
  return permissions.every((permission) => {
    const [own = ''] = permission.split(':');
    return KNOWN.has(own) && own !== category && height(own) >= height(category);
  });
}

/**
 * Returns how similar the scopes or permissions of a token are to the required one: the number of words
 * (`admin`, `organization`, `read`) that the most similar one shares with it, plus a hundredth for each one
 * that the token has.
 */
export function nearnessOf(held: readonly string[], wanted: string): number {
  const words = new Set(wanted.split(/[:/]/));
  const agreed = held.map((each) => each.split(/[:/]/).filter((word) => words.has(word)).length);
  return Math.max(-1, ...agreed) + held.length / 100;
}

const KNOWN = new Set<string>(ROWS.map(({ category }) => category));

const MAIN = 'refs/heads/main';
const FIRST: Query = { per_page: 1 };
const FURTHER: Query = { per_page: 1, page: 2 };
const OF_BRANCH: Query = { ref: MAIN };
const SORTED: Query = { per_page: 1, key: 'c', sort: 'created_at', direction: 'asc' };

/** Returns the queries to try a reading operation with: one if its endpoint takes no query. */
export function queriesOf({ does }: Operation): readonly Query[] {
  if (does === 'list') return [FIRST, FURTHER, SORTED, OF_BRANCH];
  return does === 'usage-by-repository' ? [FIRST, FURTHER] : [FIRST];
}

/**
 * Returns, for each deletion that the token with this number (from 0) tries, whether to send `ref`: a server
 * may protect one form of the request and forget the other. The first token tries both.
 */
export function waysToDelete(how: Deletion, token: number): boolean[] {
  if (how === 'delete-by-id') return [false];
  return token === 0 ? [false, true] : [token % 2 === 1];
}

/** Returns a few reading operations that the table of section 5 permits to a token. */
export function readsOf({ scopes, permissions }: Held): Operation[] {
  const open = ROWS.filter(({ scope, category, access }) =>
    scopes
      ? scopes.includes(scope)
      : permissions?.some((p) => p === `${category}:${access}` || p === `${category}:write`),
  );
  return open
    .flatMap(({ operations }) =>
      operations.filter(({ does }) => does !== 'set' && !does.startsWith('delete')),
    )
    .slice(0, 3);
}

/** Returns the id of the requirement about the success of an operation. */
export function statusId(operation: Operation): string {
  if ('level' in operation)
    return limitId(operation.level, operation.kind, operation.does === 'read' ? 'GET-STATUS' : 'SET-STATUS');
  const ids = {
    'organization-usage': 'CACHE-ORG-USAGE-STATUS',
    'usage-by-repository': 'CACHE-BY-REPO-STATUS',
    'repository-usage': 'CACHE-REPO-USAGE-STATUS',
    list: 'CACHE-LIST-STATUS',
    'delete-by-key': 'CACHE-DELETE-KEY-STATUS',
    'delete-by-id': 'CACHE-DELETE-ID-STATUS',
  };
  return ids[operation.does];
}
