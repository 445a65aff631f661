/** Specification 1, section 4.8: the parameters of a revocation. */
export const revokeRequestSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'RevokeRequest',
  title: 'Parameters of a revocation',
  type: 'object',
  required: ['client_id', 'client_secret', 'token'],
  properties: {
    client_id: { type: 'string', description: 'Identifies the client.' },
    client_secret: { type: 'string', description: 'Secret of the client.' },
    token: { type: 'string', description: 'The token to revoke, access or refresh token.' },
    token_type_hint: { enum: ['access_token', 'refresh_token'], description: 'Which kind of token it is.' },
  },
} as const;
