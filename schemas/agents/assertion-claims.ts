import type { FromSchema } from 'json-schema-to-ts';

/** Claims of an identity assertion (specification 2, section 4; times in seconds, RFC 7519 2). */
export const assertionClaimsSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'AssertionClaims',
  type: 'object',
  required: ['aud', 'iss', 'sub', 'email', 'email_verified', 'jti', 'exp'],
  properties: {
    aud: { type: 'string', description: '`resource` of the protected resource metadata.' },
    iss: { type: 'string', description: 'The identity provider.' },
    sub: { type: 'string', description: 'The user, by a name that does not change.' },
    email: { type: 'string', description: 'Email address of the user.' },
    email_verified: { type: 'boolean', const: true, description: 'That the provider verified the address.' },
    jti: { type: 'string', description: 'Unique for each assertion.' },
    exp: { type: 'number', description: 'End of validity, about five minutes after issue.' },
    iat: { type: 'number', description: 'Time of issue (RFC 7519 4.1.6).' },
  },
} as const;

export type AssertionClaims = FromSchema<typeof assertionClaimsSchema>;
