/** Attributes of an address that every create takes, for what tests put on a target by themselves. */
export const ATTRIBUTES = {
  name: 'Ana',
  street1: 'Calle 1',
  postal_code: '06600',
  area_level1: 'Jalisco',
  area_level2: 'Zapopan',
  country_code: 'MX',
  phone: '5512345678',
  email: 'ana@example.com',
  reference: 'x',
};
