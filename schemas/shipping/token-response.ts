/** Specification 1, section 2, Token response: what the token endpoint answers to a good request. */
export const tokenResponseSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'TokenResponse',
  title: 'Answer of the token endpoint',
  type: 'object',
  required: ['access_token', 'token_type', 'expires_in', 'scope', 'created_at'],
  properties: {
    access_token: { type: 'string', minLength: 1, description: 'The token to send as bearer token.' },
    token_type: { const: 'Bearer', description: 'How the token is to be sent.' },
    expires_in: { const: 7200, description: 'Lifetime of the token in seconds.' },
    scope: { type: 'string', description: 'What the token may be used for: scopes, separated by spaces.' },
    created_at: { type: 'integer', description: 'When the token was issued; the unit is not shown.' },
  },
} as const;
