/** Specification 1, section 2, AddressTemplate: one saved address. */
export const addressTemplateSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'AddressTemplate',
  title: 'Saved address',
  type: 'object',
  required: ['id', 'alias_name', 'address_type', 'default', 'address', 'verified_carriers'],
  properties: {
    id: {
      type: 'string',
      // Only the form of a UUID, in any version and any case.
      pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
      description: 'Identifies the saved address; shaped like a UUID.',
    },
    alias_name: { type: 'string', description: 'Label under which the address is saved.' },
    address_type: {
      type: 'string',
      description: 'What the address is used for; `from` is one use, the others are not shown.',
    },
    default: {
      type: ['boolean', 'null'],
      description: 'Whether it is the one to take unless told otherwise.',
    },
    address: { $ref: 'Address', description: 'The postal address itself.' },
    verified_carriers: {
      type: 'array',
      items: { $ref: 'VerifiedCarrier' },
      description: 'What the carriers that were asked say about the address.',
    },
  },
} as const;
