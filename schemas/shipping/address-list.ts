/** Specification 1, section 4.1: the answer of the list. */
export const addressListSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'AddressList',
  title: 'One page of saved addresses',
  type: 'object',
  required: ['data', 'meta'],
  properties: {
    data: { type: 'array', items: { $ref: 'AddressTemplate' }, description: 'The addresses on this page.' },
    meta: { $ref: 'PaginationMeta', description: 'Where the page stands in the whole.' },
  },
} as const;
