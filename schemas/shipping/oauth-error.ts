/** Specification 1, section 2, Error bodies: 400 and 401 of the token endpoint, 403 of the revoke endpoint. */
export const oauthErrorSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'OAuthError',
  title: 'Error of an OAuth endpoint',
  type: 'object',
  required: ['error', 'error_description'],
  properties: {
    error: { type: 'string', description: 'What went wrong, as a code; the codes are not shown.' },
    error_description: { type: 'string', description: 'What went wrong, in words.' },
  },
} as const;
