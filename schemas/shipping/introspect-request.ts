/**
 * Specification 1, section 4.9: the parameters of an introspection. The specification does not show which are
 * required.
 */
export const introspectRequestSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'IntrospectRequest',
  title: 'Parameters of an introspection',
  type: 'object',
  properties: {
    client_id: { type: 'string', description: 'Identifies the client.' },
    client_secret: { type: 'string', description: 'Secret of the client.' },
    token: { type: 'string', description: 'The token to look at, access or refresh token.' },
    token_type_hint: { enum: ['access_token', 'refresh_token'], description: 'Which kind of token it is.' },
  },
} as const;
