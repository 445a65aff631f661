import type { FromSchema } from 'json-schema-to-ts';

/** The error codes of specification 2, section 7, in the order of its table. */
export const errorCodes = [
  'invalid_request',
  'unsupported_credential_type',
  'invalid_signature',
  'audience_mismatch',
  'credential_expired',
  'issuer_not_enabled',
  'missing_verified_email',
  'replay_detected',
  'invalid_assertion',
  'server_error',
] as const;

/** One of the ten error codes. */
export type ErrorCode = (typeof errorCodes)[number];

/**
 * Error body of the registration endpoint (specification 2, sections 2 and 7). The schema does not restrict
 * `error` to the codes of the table: for an error that has no row in it, a service may use a code of its own.
 */
export const registrationErrorSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'RegistrationError',
  type: 'object',
  required: ['error', 'error_description'],
  properties: {
    error: { type: 'string', examples: errorCodes, description: 'The error code.' },
    error_description: { type: 'string', description: 'The reason, for people.' },
  },
} as const;

export type RegistrationError = FromSchema<typeof registrationErrorSchema>;
