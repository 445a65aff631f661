import type { FromSchema } from 'json-schema-to-ts';
import type { identityAssertionSupportSchema } from './identity-assertion-support.ts';
import { anyUrl, url } from './parts.ts';

/** The block `agent_auth` of the authorization server metadata (specification 2, section 2). */
export const agentAuthSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'AgentAuth',
  type: 'object',
  required: ['skill', 'register_uri', 'identity_types_supported', 'identity_assertion', 'events_supported'],
  properties: {
    skill: { ...anyUrl, description: 'Where the instructions for agents are.' },
    register_uri: { ...url, description: 'The registration endpoint.' },
    identity_types_supported: {
      type: 'array',
      items: { type: 'string' },
      contains: { const: 'identity_assertion' },
      description: 'Registration methods on offer.',
    },
    identity_assertion: { $ref: 'IdentityAssertionSupport' },
    events_supported: {
      type: 'array',
      maxItems: 0,
      description: 'Events that the service sends or takes: none.',
    },
  },
} as const;

export type AgentAuth = FromSchema<
  typeof agentAuthSchema,
  { references: [typeof identityAssertionSupportSchema] }
>;
