/** Specification 1, section 2, Error bodies: the body of a 404 from read or delete. */
export const addressErrorSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'AddressError',
  title: 'Error of an address endpoint',
  type: 'object',
  required: ['message'],
  properties: {
    message: { type: 'string', description: 'What went wrong, in words.' },
  },
} as const;
