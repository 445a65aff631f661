import type { FromSchema } from 'json-schema-to-ts';

/** JOSE header of an identity assertion (specification 2, section 4). */
export const assertionHeaderSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'AssertionHeader',
  type: 'object',
  required: ['typ', 'alg'],
  properties: {
    typ: { type: 'string', const: 'oauth-id-jag+jwt', description: 'Type of the JWT.' },
    alg: { type: 'string', const: 'RS256', description: 'Signature algorithm.' },
    kid: { type: 'string', description: 'Which key of the identity provider signed (RFC 7515 4.1.4).' },
  },
} as const;

export type AssertionHeader = FromSchema<typeof assertionHeaderSchema>;
