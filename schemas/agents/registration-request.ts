import type { FromSchema } from 'json-schema-to-ts';
import { idJag } from './parts.ts';

/** Body of `POST /agent/auth` (specification 2, section 4). */
export const registrationRequestSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'RegistrationRequest',
  type: 'object',
  required: ['type', 'assertion_type', 'assertion', 'requested_credential_type'],
  properties: {
    type: { type: 'string', const: 'identity_assertion', description: 'The registration method.' },
    assertion_type: { type: 'string', const: idJag, description: 'What kind of assertion is presented.' },
    assertion: { type: 'string', minLength: 1, description: 'The assertion: a signed JWT, compact form.' },
    requested_credential_type: { type: 'string', const: 'api_key', description: 'The credential asked for.' },
  },
} as const;

export type RegistrationRequest = FromSchema<typeof registrationRequestSchema>;
