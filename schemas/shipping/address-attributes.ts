/**
 * Specification 1, sections 4.3 and 4.4: the fields of `address_attributes`, shared by create and update.
 * Which of them are required differs, so each request states that itself. There is no pattern and no length,
 * since the tables give only types.
 */
export const addressAttributeProperties = {
  name: { type: 'string', description: 'Whom to ask for at the address.' },
  company: { type: 'string', description: 'The company at the address.' },
  street1: { type: 'string', description: 'The street.' },
  street_number: { type: 'string', description: 'Number of the building.' },
  apartment_number: { type: 'string', description: 'Number within the building.' },
  postal_code: { type: 'string', description: 'The postal code.' },
  area_level1: { type: 'string', description: 'The widest area within the country, such as a state.' },
  area_level2: { type: 'string', description: 'The next narrower area, such as a city or municipality.' },
  area_level3: { type: 'string', description: 'The narrowest area, such as a neighbourhood.' },
  country_code: { type: 'string', description: 'The country as a code of two letters; `MX` is documented.' },
  phone: { type: 'string', description: 'Telephone number of the contact.' },
  email: { type: 'string', description: 'Email address of the contact.' },
  reference: { type: 'string', description: 'What helps to find the place.' },
  rfc: { type: 'string', description: 'Mexican tax id of the addressee.' },
} as const;

/** The fields beside `address_attributes`, shared by create and update. */
export const addressLabelProperties = {
  alias_name: { type: 'string', description: 'Label under which the address is saved.' },
  address_type: { type: 'string', description: 'What the address is used for, such as `from`.' },
  default: { type: 'boolean', description: 'Whether it is the one to take unless told otherwise.' },
} as const;
