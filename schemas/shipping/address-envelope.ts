/** Specification 1, sections 4.2, 4.3, 4.4 and 4.6: the answer of read, create, update and verify. */
export const addressEnvelopeSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'AddressEnvelope',
  title: 'One saved address',
  type: 'object',
  required: ['data'],
  properties: {
    data: { $ref: 'AddressTemplate', description: 'The saved address.' },
  },
} as const;
