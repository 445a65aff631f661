import type { FromSchema } from 'json-schema-to-ts';
import type { agentAuthSchema } from './agent-auth.ts';
import type { identityAssertionSupportSchema } from './identity-assertion-support.ts';

/**
 * Authorization server metadata (the format of RFC 8414). Specification 2 requires nothing in it except the
 * block `agent_auth` (section 2).
 */
export const authorizationServerMetadataSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'AuthorizationServerMetadata',
  type: 'object',
  required: ['agent_auth'],
  properties: {
    agent_auth: { $ref: 'AgentAuth' },
  },
} as const;

export type AuthorizationServerMetadata = FromSchema<
  typeof authorizationServerMetadataSchema,
  { references: [typeof agentAuthSchema, typeof identityAssertionSupportSchema] }
>;
