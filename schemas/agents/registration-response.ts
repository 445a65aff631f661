import type { FromSchema } from 'json-schema-to-ts';
import { uuidPattern } from './parts.ts';

/**
 * The body of the answer to a successful registration (specification 2, section 2). The schema does not
 * require `service:global` in `scopes`, since a target may use another name for that scope.
 */
export const registrationResponseSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'RegistrationResponse',
  type: 'object',
  required: [
    'user_id',
    'api_key',
    'registration_id',
    'registration_type',
    'credential_type',
    'credential',
    'credential_expires',
    'scopes',
  ],
  properties: {
    user_id: { type: 'string', pattern: uuidPattern, description: 'The user that the key acts for.' },
    api_key: { type: 'string', minLength: 1, description: 'The key.' },
    registration_id: { type: 'string', pattern: '^reg_', description: 'Identifies the registration.' },
    registration_type: { const: 'agent-provider', description: 'How the registration came about.' },
    credential_type: { const: 'api_key', description: 'What was issued.' },
    credential: { type: 'string', minLength: 1, description: 'The key once more.' },
    credential_expires: { type: 'null', description: 'Always null: a key does not expire.' },
    scopes: { type: 'array', items: { type: 'string' }, description: 'What the key may be used for.' },
  },
} as const;

export type RegistrationResponse = FromSchema<typeof registrationResponseSchema>;
