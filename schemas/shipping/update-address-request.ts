import { addressAttributeProperties, addressLabelProperties } from './address-attributes.ts';

/**
 * Specification 1, section 4.4: the body of an update. Every field is optional; the specification does not
 * say whether `address_template` itself may be left out.
 */
export const updateAddressRequestSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'UpdateAddressRequest',
  title: 'Body of an update',
  type: 'object',
  properties: {
    id: { type: 'string', description: 'The address to update, as in the path.' },
    address_template: {
      type: 'object',
      description: 'The fields to change; what is left out keeps its value.',
      properties: {
        ...addressLabelProperties,
        address_attributes: {
          type: 'object',
          description: 'The fields of the postal address to change; what is left out keeps its value.',
          properties: addressAttributeProperties,
        },
      },
    },
  },
} as const;
