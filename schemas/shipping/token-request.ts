/** Specification 1, section 4.7: the parameters of a token request, as a form or as JSON. */
export const tokenRequestSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'TokenRequest',
  title: 'Parameters of a token request',
  type: 'object',
  required: ['grant_type', 'client_id', 'client_secret'],
  properties: {
    grant_type: {
      enum: ['client_credentials', 'refresh_token'],
      description: 'What the token is asked for with.',
    },
    client_id: { type: 'string', description: 'Identifies the client.' },
    client_secret: { type: 'string', description: 'Secret of the client.' },
    refresh_token: {
      type: 'string',
      description: 'The refresh token to exchange, in the grant of that name.',
    },
    redirect_uri: { type: 'string', description: 'The redirect URI that is stored for the client.' },
    scope: { type: 'string', description: 'The scopes to which the token is to be limited.' },
  },
} as const;
