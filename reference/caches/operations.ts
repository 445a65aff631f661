/** The eighteen operations of section 4, by name. */

export type Level = 'enterprise' | 'organization' | 'repository';
export type LimitKind = 'retention' | 'storage';
export type LimitOperation = `${'read' | 'set'}-${Level}-${LimitKind}`;
export type Operation =
  | LimitOperation
  | 'organization-usage'
  | 'usage-by-repository'
  | 'repository-usage'
  | 'list'
  | 'delete-by-key'
  | 'delete-by-id';

/** One row of the table in section 4. */
export interface Endpoint {
  /** Its number in the table. */
  number: number;
  method: 'GET' | 'PUT' | 'DELETE';
  /** Path with `:name` for its parameters. */
  path: string;
  /** The level that the path names, at which limits, caches or figures are looked up. */
  level: Level;
}

const PREFIX = {
  enterprise: '/enterprises/:enterprise',
  organization: '/organizations/:org',
  repository: '/repos/:owner/:repo',
} as const;
const FIRST = { enterprise: 1, organization: 5, repository: 11 } as const;

/** Returns rows 1 to 8 and 11 to 14 of the table: at each level, both limits can be read and set. */
function limitEndpoints(): Record<LimitOperation, Endpoint> {
  const rows: Partial<Record<LimitOperation, Endpoint>> = {};
  for (const level of ['enterprise', 'organization', 'repository'] as const) {
    for (const [offset, kind] of (['retention', 'storage'] as const).entries()) {
      const path = `${PREFIX[level]}/actions/cache/${kind}-limit`;
      const number = FIRST[level] + 2 * offset;
      rows[`read-${level}-${kind}`] = { number, method: 'GET', path, level };
      rows[`set-${level}-${kind}`] = { number: number + 1, method: 'PUT', path, level };
    }
  }
  return rows as Record<LimitOperation, Endpoint>;
}

const REPOSITORY = PREFIX.repository;

/** The whole table of section 4. */
export const endpoints: Record<Operation, Endpoint> = {
  ...limitEndpoints(),
  'organization-usage': {
    number: 9,
    method: 'GET',
    path: '/orgs/:org/actions/cache/usage',
    level: 'organization',
  },
  'usage-by-repository': {
    number: 10,
    method: 'GET',
    path: '/orgs/:org/actions/cache/usage-by-repository',
    level: 'organization',
  },
  'repository-usage': {
    number: 15,
    method: 'GET',
    path: `${REPOSITORY}/actions/cache/usage`,
    level: 'repository',
  },
  list: { number: 16, method: 'GET', path: `${REPOSITORY}/actions/caches`, level: 'repository' },
  'delete-by-key': {
    number: 17,
    method: 'DELETE',
    path: `${REPOSITORY}/actions/caches`,
    level: 'repository',
  },
  'delete-by-id': {
    number: 18,
    method: 'DELETE',
    path: `${REPOSITORY}/actions/caches/:cache_id`,
    level: 'repository',
  },
};
