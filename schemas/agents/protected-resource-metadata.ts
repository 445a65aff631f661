import type { FromSchema } from 'json-schema-to-ts';
import { anyUrl, url } from './parts.ts';

/**
 * Protected resource metadata (specification 2, section 2; the format of RFC 9728). The schema does not
 * require `service:global` in `scopes_supported`, since a target may use another name for that scope.
 */
export const protectedResourceMetadataSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'ProtectedResourceMetadata',
  type: 'object',
  required: [
    'resource',
    'resource_name',
    'resource_logo_uri',
    'authorization_servers',
    'scopes_supported',
    'bearer_methods_supported',
    'agent_auth_uri',
  ],
  properties: {
    resource: { ...url, description: 'Identifies the API; the audience of every assertion.' },
    resource_name: { type: 'string', description: 'Name of the service for the consent screen.' },
    resource_logo_uri: { ...anyUrl, description: 'Logo of the service for the consent screen.' },
    authorization_servers: {
      type: 'array',
      items: url,
      description: 'Authorization servers that issue credentials for the API.',
    },
    scopes_supported: { type: 'array', items: { type: 'string' }, description: 'Scopes of the API.' },
    bearer_methods_supported: {
      type: 'array',
      items: { type: 'string' },
      contains: { const: 'header' },
      description: 'Ways in which a key may be presented.',
    },
    agent_auth_uri: { ...url, description: 'Where the authorization server metadata is.' },
  },
} as const;

export type ProtectedResourceMetadata = FromSchema<typeof protectedResourceMetadataSchema>;
