/** The schema of a target's configuration under `caches`. */
import type { FromSchema } from 'json-schema-to-ts';
import { bearer, requestHeaders, url } from '../../schemas/targets.ts';

const scopedToken = {
  type: 'object',
  additionalProperties: false,
  required: ['token'],
  properties: {
    token: { ...bearer },
    scopes: {
      type: 'array',
      items: { type: 'string' },
      description: 'Classic scopes that it has, and no others.',
    },
    permissions: {
      type: 'array',
      items: { type: 'string' },
      description:
        'Fine-grained permissions that it has, and no others: `enterprise/administration`, `organization/administration`, `repository/administration`, `repository/actions`, each with `:read` or `:write`.',
    },
  },
} as const;

export const schema = {
  type: 'object',
  description: 'The cache management service: suite cache-management.',
  additionalProperties: false,
  required: ['baseUrl', 'token'],
  properties: {
    baseUrl: url,
    token: { ...bearer, description: 'A token with every permission of section 5.' },
    enterprise: { type: 'string', description: 'Slug of an enterprise whose limits the suite may change.' },
    otherEnterprise: {
      type: 'string',
      description: 'Slug of another enterprise, whose limits the suite may change as well.',
    },
    organization: { type: 'string', description: 'An organization under it.' },
    otherOrganization: { type: 'string', description: 'Another organization under the same enterprise.' },
    repository: {
      type: 'string',
      description: 'owner/repo under the organization, private if there is a choice.',
    },
    otherRepository: { type: 'string', description: 'Another repository of the same organization.' },
    publicRepository: { type: 'string', description: 'A public repository, for anonymous calls.' },
    privateRepository: { type: 'string', description: 'A private repository. Default: `repository`.' },
    namesakeRepository: { type: 'string', description: 'A repository of the same name under another owner.' },
    repositories: {
      type: 'array',
      items: { type: 'string' },
      description:
        'More than 100 repositories of the organization, empty ones where there is a seed hook: unlocks the paging of usage-by-repository.',
    },
    readerToken: { ...bearer, description: 'A token of an account that may only read the repository.' },
    strangerToken: {
      ...bearer,
      description: 'A token of an account that may not read the private repository.',
    },
    readOnlyRepository: {
      type: 'string',
      description: 'Without a seed hook: a repository with caches that the suite may look at and not touch.',
    },
    tokens: {
      type: 'array',
      items: scopedToken,
      description:
        'Tokens with chosen permissions: each unlocks the refusals that it lacks the permission for.',
    },
    versionHeader: { type: 'string', description: 'Default `X-Service-Api-Version`.' },
    version: { type: 'string', description: 'Default `2026-03-10`.' },
    mediaType: { type: 'string', description: 'Default `application/vnd.service+json`.' },
    headers: requestHeaders,
  },
} as const;

export type CachesConfig = FromSchema<typeof schema>;

declare module '../../lib/config/types.ts' {
  interface ServiceConfigs {
    caches: CachesConfig;
  }
}
