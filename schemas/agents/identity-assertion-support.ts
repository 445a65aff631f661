import type { FromSchema } from 'json-schema-to-ts';
import { idJag } from './parts.ts';

/** `agent_auth.identity_assertion`: what registration by identity assertion offers (specification 2, section 2). */
export const identityAssertionSupportSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'IdentityAssertionSupport',
  type: 'object',
  required: ['assertion_types_supported', 'credential_types_supported'],
  properties: {
    assertion_types_supported: {
      type: 'array',
      items: { type: 'string' },
      contains: { const: idJag },
      description: 'Types of assertion that may be presented.',
    },
    credential_types_supported: {
      type: 'array',
      items: { type: 'string' },
      contains: { const: 'api_key' },
      description: 'Types of credential that may be requested.',
    },
  },
} as const;

export type IdentityAssertionSupport = FromSchema<typeof identityAssertionSupportSchema>;
