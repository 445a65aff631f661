/** Specification 1, section 4.6: the body of a verify. */
export const verifyRequestSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'VerifyRequest',
  title: 'Body of a verify',
  type: 'object',
  required: ['carriers'],
  properties: {
    address_template_id: { type: 'string', description: 'The address to verify, as in the path.' },
    carriers: {
      type: 'array',
      items: { type: 'string' },
      description: 'The carriers to ask; their names are not shown.',
    },
  },
} as const;
