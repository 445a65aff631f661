/** Test data for addresses. Plain enough for any validator: lower-case e-mail, digits, Mexican forms. */
import type { Faker } from '@faker-js/faker';
import type { CreateAddressRequest } from '../../../schemas/shipping/index.ts';

/** What create takes under `address_template`. */
export type NewAddress = CreateAddressRequest['address_template'];

/** The 14 fields of `address_attributes`, in the order of the specification (4.3). */
export const ATTRIBUTE_FIELDS = [
  'name',
  'company',
  'street1',
  'street_number',
  'apartment_number',
  'postal_code',
  'area_level1',
  'area_level2',
  'area_level3',
  'country_code',
  'phone',
  'email',
  'reference',
  'rfc',
] as const;
export type AttributeField = (typeof ATTRIBUTE_FIELDS)[number];

/** The fields that 4.3 does not require. */
export const OPTIONAL_ATTRIBUTES = [
  'company',
  'street_number',
  'apartment_number',
  'area_level3',
  'rfc',
] as const satisfies readonly AttributeField[];

/** The fields that 4.3 requires. */
export const REQUIRED_ATTRIBUTES = ATTRIBUTE_FIELDS.filter(
  (f): f is Exclude<AttributeField, (typeof OPTIONAL_ATTRIBUTES)[number]> =>
    !(OPTIONAL_ATTRIBUTES as readonly string[]).includes(f),
);

/** The three fields beside the address that create and update take. */
export const TEMPLATE_FIELDS = ['alias_name', 'address_type', 'default'] as const;
export type TemplateField = (typeof TEMPLATE_FIELDS)[number];

/** Places whose names are written with plain letters: other letters have checks of their own. */
const STATES = [
  'Jalisco',
  'Puebla',
  'Sonora',
  'Oaxaca',
  'Chiapas',
  'Tabasco',
  'Veracruz',
  'Durango',
  'Sinaloa',
  'Hidalgo',
];
const CITIES = [
  'Guadalajara',
  'Zapopan',
  'Hermosillo',
  'Tijuana',
  'Monterrey',
  'Toluca',
  'Xalapa',
  'Cuernavaca',
  'Morelia',
];
const AREAS = ['Centro', 'Narvarte', 'Roma Norte', 'Del Valle', 'Doctores', 'Portales', 'Condesa', 'Obrera'];
/** The two general tax ids that the Mexican tax authority gives out: valid for whoever checks digits. */
const GENERAL_TAX_IDS = ['XAXX010101000', 'XEXX010101000'];

/**
 * A value for one address field; `nth` makes it differ from call to call where the field is free text.
 * Two calls for another field than `country_code` may give the same value: see `otherAttribute`.
 */
export function attribute(faker: Faker, field: AttributeField, nth: string): string {
  switch (field) {
    case 'name':
      return plain(`${faker.person.firstName()} ${faker.person.lastName()}`);
    case 'company':
      return `Empresa ${nth}`;
    case 'street1':
      return `Calle ${nth}`;
    case 'street_number':
      return String(faker.number.int({ min: 1, max: 9999 }));
    case 'apartment_number':
      return String(faker.number.int({ min: 1, max: 999 }));
    case 'postal_code':
      // With a leading zero, which a number would lose.
      return `0${faker.number.int({ min: 1000, max: 9999 })}`;
    case 'area_level1':
      return faker.helpers.arrayElement(STATES);
    case 'area_level2':
      return faker.helpers.arrayElement(CITIES);
    case 'area_level3':
      return `Colonia ${faker.helpers.arrayElement(AREAS)}`;
    case 'country_code':
      return 'MX';
    case 'phone':
      return `55${faker.number.int({ min: 10_000_000, max: 99_999_999 })}`;
    case 'email':
      return `${faker.string.alpha({ length: 10, casing: 'lower' })}@example.com`;
    case 'reference':
      return `Frente al parque ${nth}`;
    case 'rfc':
      return faker.helpers.arrayElement(GENERAL_TAX_IDS);
  }
}

/** A value for an address field that differs from `current`; for `country_code` there is none but `MX`. */
export function otherAttribute(faker: Faker, field: AttributeField, nth: string, current: unknown): string {
  for (let tries = 0; tries < 100; tries += 1) {
    const value = attribute(faker, field, nth);
    if (value !== current) return value;
  }
  return attribute(faker, field, nth);
}

/** Text without accents and without anything but letters, digits and single spaces. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/[^A-Za-z0-9 ]/g, '')
    .replaceAll(/ +/g, ' ')
    .trim();
}

/** A complete address, every optional field present, `default` false. `nth` is unique within the run. */
export function newAddress(faker: Faker, nth: string): NewAddress {
  const address_attributes = Object.fromEntries(
    ATTRIBUTE_FIELDS.map((field) => [field, attribute(faker, field, nth)]),
  ) as NewAddress['address_attributes'];
  return { alias_name: `Conformance ${nth}`, address_type: 'from', default: false, address_attributes };
}
