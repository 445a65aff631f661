import { addressAttributeProperties, addressLabelProperties } from './address-attributes.ts';

/** Specification 1, section 4.3: the body of a create. */
export const createAddressRequestSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'CreateAddressRequest',
  title: 'Body of a create',
  type: 'object',
  required: ['address_template'],
  properties: {
    address_template: {
      type: 'object',
      description: 'The address to save.',
      required: ['alias_name', 'address_type', 'address_attributes'],
      properties: {
        ...addressLabelProperties,
        address_attributes: {
          type: 'object',
          description: 'The postal address itself.',
          required: [
            'name',
            'street1',
            'postal_code',
            'area_level1',
            'area_level2',
            'country_code',
            'phone',
            'email',
            'reference',
          ],
          properties: addressAttributeProperties,
        },
      },
    },
  },
} as const;
