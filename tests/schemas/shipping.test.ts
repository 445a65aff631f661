import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import {
  type AddressList,
  type AddressTemplate,
  type CreateAddressRequest,
  type ShippingSchemaName,
  shippingSchemas,
  type TokenResponse,
  type UpdateAddressRequest,
} from '../../schemas/shipping/index.ts';

// Strict, so that a misspelt keyword is an error; a type or null is how the tables say "nullable".
const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
for (const schema of shippingSchemas) ajv.addSchema(schema);

/** Where a value does not fit, as JSON pointers; empty when it fits. */
function misfits(name: ShippingSchemaName, value: unknown): string[] {
  const validate = ajv.getSchema(name);
  if (!validate) throw new Error(`no schema ${name}`);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ keyword, instancePath, params }) =>
    keyword === 'required' ? `${instancePath}/${params.missingProperty}` : instancePath,
  );
}

// Typed, so that the compiler compares the derived types with what the schemas accept.
const address: AddressTemplate = {
  id: '6f1ed002-ab59-53a1-8b11-22d4c0d4c0de',
  alias_name: 'Bodega',
  address_type: 'from',
  default: null,
  address: {
    name: 'Ana Núñez',
    company: null,
    street1: 'Calle Uno',
    street_number: '1-A',
    apartment_number: null,
    postal_code: '01000',
    area_level1: 'Ciudad de México',
    area_level2: 'Álvaro Obregón',
    area_level3: null,
    country_code: 'MX',
    phone: '5512345678',
    email: 'ana@example.com',
    reference: null,
    rfc: null,
    tax_id_number: null,
    tax_id_type: null,
  },
  verified_carriers: [{ carrier_name: 'one', status: 'pending', verification_id: null }],
};
const list: AddressList = {
  data: [address],
  meta: { total_count: 1, per_page: 20, current_page: 1, total_pages: 1, next_page: null, prev_page: null },
};
const token: TokenResponse = {
  access_token: 'abc',
  token_type: 'Bearer',
  expires_in: 7200,
  scope: '',
  created_at: 1_700_000_000,
};
const create: CreateAddressRequest = {
  address_template: {
    alias_name: 'Bodega',
    address_type: 'from',
    address_attributes: {
      name: 'Ana Núñez',
      street1: 'Calle Uno',
      postal_code: '01000',
      area_level1: 'Ciudad de México',
      area_level2: 'Álvaro Obregón',
      country_code: 'MX',
      phone: '5512345678',
      email: 'ana@example.com',
      reference: 'Portón azul',
    },
  },
};

/** A copy of `value` with the member at `pointer` replaced, or removed where `to` is undefined. */
function changed<T>(value: T, pointer: string, to: unknown): T {
  const copy = structuredClone(value);
  const path = pointer.split('/').slice(1);
  const last = path.pop() as string;
  const owner = path.reduce<Record<string, unknown>>(
    (at, key) => at[key] as Record<string, unknown>,
    copy as Record<string, unknown>,
  );
  if (to === undefined) delete owner[last];
  else owner[last] = to;
  return copy;
}

test('every schema compiles and goes by its own name', () => {
  const names = shippingSchemas.map((s) => s.$id);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(ajv.getSchema(name), name).toBeTypeOf('function');
});

test('what the tables show fits', () => {
  expect(misfits('AddressTemplate', address)).toEqual([]);
  expect(misfits('AddressEnvelope', { data: address })).toEqual([]);
  expect(misfits('AddressList', list)).toEqual([]);
  expect(misfits('AddressList', { ...list, data: [] })).toEqual([]);
  expect(misfits('TokenResponse', token)).toEqual([]);
  expect(misfits('AddressError', { message: 'gone' })).toEqual([]);
  expect(misfits('OAuthError', { error: 'invalid_client', error_description: 'no' })).toEqual([]);
  expect(misfits('CreateAddressRequest', create)).toEqual([]);
  const update: UpdateAddressRequest = { address_template: { address_attributes: { company: 'Uno' } } };
  expect(misfits('UpdateAddressRequest', update)).toEqual([]);
  expect(misfits('VerifyRequest', { carriers: ['one'] })).toEqual([]);
  expect(misfits('RevokeRequest', { client_id: 'a', client_secret: 'b', token: 'c' })).toEqual([]);
  expect(misfits('IntrospectRequest', {})).toEqual([]);
  const request = { grant_type: 'client_credentials', client_id: 'a', client_secret: 'b' };
  expect(misfits('TokenRequest', request)).toEqual([]);
});

describe('properties that no table lists are allowed', () => {
  const objectsOf = (value: object, at = ''): string[] => [
    at,
    ...Object.entries(value).flatMap(([key, inner]) =>
      inner !== null && typeof inner === 'object' ? objectsOf(inner, `${at}/${key}`) : [],
    ),
  ];
  test.each(objectsOf(list).filter((at) => !at.endsWith('/data') && !at.endsWith('/verified_carriers')))(
    'AddressList%s',
    (at) => {
      expect(misfits('AddressList', changed(list, `${at}/extra`, { any: 1 }))).toEqual([]);
    },
  );
  test('token response and errors', () => {
    expect(misfits('TokenResponse', { ...token, refresh_token: 'r' })).toEqual([]);
    expect(misfits('AddressError', { message: 'm', code: 1 })).toEqual([]);
    expect(misfits('OAuthError', { error: 'e', error_description: 'd', error_uri: 'u' })).toEqual([]);
  });
});

test.each([
  ['AddressTemplate', address, '/id', undefined],
  ['AddressTemplate', address, '/id', '6f1ed002ab5953a18b1122d4c0d4c0de'],
  ['AddressTemplate', address, '/default', undefined],
  ['AddressTemplate', address, '/default', 'true'],
  ['AddressTemplate', address, '/address', null],
  ['AddressTemplate', address, '/address/name', null],
  ['AddressTemplate', address, '/address/company', undefined],
  ['AddressTemplate', address, '/address/reference', 5],
  ['AddressTemplate', address, '/address/country_code', 'MEX'],
  ['AddressTemplate', address, '/verified_carriers', null],
  ['AddressTemplate', address, '/verified_carriers/0/status', null],
  ['AddressTemplate', address, '/verified_carriers/0/verification_id', undefined],
  ['AddressList', list, '/meta', undefined],
  ['AddressList', list, '/meta/total_count', -1],
  ['AddressList', list, '/meta/per_page', 21],
  ['AddressList', list, '/meta/per_page', '20'],
  ['AddressList', list, '/meta/total_pages', 1.5],
  ['AddressList', list, '/meta/next_page', undefined],
  ['AddressList', list, '/data/0/address/tax_id_type', 1],
  ['TokenResponse', token, '/access_token', ''],
  ['TokenResponse', token, '/token_type', 'bearer'],
  ['TokenResponse', token, '/expires_in', '7200'],
  ['TokenResponse', token, '/scope', ['read']],
  ['TokenResponse', token, '/created_at', '2024-01-01T00:00:00Z'],
  ['CreateAddressRequest', create, '/address_template/address_attributes/reference', undefined],
] as const)('%s: %#: a wrong %s is named by its pointer', (name, value, pointer, to) => {
  expect(misfits(name, changed<object>(value, pointer, to))).toEqual([pointer]);
});

test('an upper-case id and a country code in lower case fit', () => {
  expect(misfits('AddressTemplate', changed(address, '/id', address.id.toUpperCase()))).toEqual([]);
  expect(misfits('AddressTemplate', changed(address, '/address/country_code', 'mx'))).toEqual([]);
});
