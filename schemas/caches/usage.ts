import type { FromSchema } from 'json-schema-to-ts';

const count = { type: 'integer', minimum: 0 } as const;

const repositoryFigures = {
  type: 'object',
  properties: {
    full_name: { type: 'string', pattern: '^[^/]+/[^/]+$', description: 'owner/repository' },
    active_caches_size_in_bytes: count,
    active_caches_count: count,
  },
  required: ['full_name', 'active_caches_size_in_bytes', 'active_caches_count'],
} as const;

/** Answer of endpoint 9 (section 2, Organization usage). */
export const organizationUsage = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'OrganizationUsage',
  title: 'Organization usage',
  type: 'object',
  properties: {
    total_active_caches_size_in_bytes: count,
    total_active_caches_count: count,
  },
  required: ['total_active_caches_size_in_bytes', 'total_active_caches_count'],
} as const;

/** Answer of endpoint 15 (section 2, Repository usage). */
export const repositoryUsage = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'RepositoryUsage',
  title: 'Repository usage',
  ...repositoryFigures,
} as const;

/**
 * One repository in the answer of endpoint 10. It has the shape of a repository usage, but a schema of its
 * own, so that a failure shows whether it is in the list or in the answer about one repository.
 */
export const repositoryCacheUsage = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'RepositoryCacheUsage',
  title: 'Repository in organization usage by repository',
  ...repositoryFigures,
} as const;

/** Answer of endpoint 10 (section 2, Organization usage by repository). */
export const organizationUsageByRepository = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'OrganizationUsageByRepository',
  title: 'Organization usage by repository',
  type: 'object',
  properties: {
    total_count: count,
    repository_cache_usages: { type: 'array', items: { $ref: 'RepositoryCacheUsage' } },
  },
  required: ['total_count', 'repository_cache_usages'],
} as const;

export type OrganizationUsage = FromSchema<typeof organizationUsage>;
export type RepositoryUsage = FromSchema<typeof repositoryUsage>;
export type RepositoryCacheUsage = FromSchema<typeof repositoryCacheUsage>;
export type OrganizationUsageByRepository = FromSchema<
  typeof organizationUsageByRepository,
  { references: [typeof repositoryCacheUsage] }
>;
