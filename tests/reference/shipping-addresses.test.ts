/** Addresses of the shipping reference: created, read, listed, deleted. */
import { describe, expect, test } from 'vitest';
import { SECOND_CLIENT, shippingRules } from '../../reference/shipping/index.ts';
import { fullAddress, UUID, withAddresses } from './shipping-client.ts';

describe('create and read', () => {
  test('every writable property round-trips', async () => {
    const { book } = await withAddresses(0);
    const { address_attributes, ...values } = fullAddress();
    const created = await book('POST', '', { address_template: fullAddress() });
    expect(created.status).toBe(201);
    expect(created.body.data).toEqual({
      id: expect.stringMatching(UUID),
      ...values,
      address: { ...address_attributes, tax_id_number: null, tax_id_type: null },
      verified_carriers: [],
    });
    const read = await book('GET', `/${created.body.data.id}`);
    expect([read.status, read.body]).toEqual([200, created.body]);
    expect(created.headers.get('location')).toBe(`/api/v1/address_templates/${created.body.data.id}`);
  });

  test('properties left out are null, or false for default', async () => {
    const { book } = await withAddresses(0);
    const { company, street_number, apartment_number, area_level3, rfc, ...required } =
      fullAddress().address_attributes;
    const { status, body } = await book('POST', '', {
      address_template: { alias_name: 'a', address_type: 'to', address_attributes: required },
    });
    expect(status).toBe(201);
    expect(body.data.default).toBe(false);
    expect(body.data.address).toMatchObject({ company: null, street_number: null, rfc: null });
  });

  test.each([
    ...['alias_name', 'address_type', 'address_attributes'].map((field) => [field, 'template']),
    ...shippingRules.requiredAddressFields.map((field) => [field, 'address']),
  ])('a create without %s (%s) stores nothing', async (field, level) => {
    const { book } = await withAddresses(0);
    const address_template = fullAddress();
    delete (level === 'template' ? address_template : address_template.address_attributes)[field];
    const refused = await book('POST', '', { address_template });
    expect(refused.status).toBe(422);
    expect(refused.body.message).toContain(`${field} is missing`);
    expect((await book('GET')).body.meta.total_count).toBe(0);
  });

  test('a create without address_template, with another kind of body or with none is refused', async () => {
    const { book } = await withAddresses(0);
    expect((await book('POST', '', {})).status).toBe(422);
    expect((await book('POST', '', '[]')).status).toBe(400);
    expect((await book('POST', '', '{"address_template":')).status).toBe(400);
    expect((await book('POST')).status).toBe(400);
  });

  test('an address that does not exist, or is of another client, is not found', async () => {
    const { client, book, saved } = await withAddresses(1);
    const missing = await book('GET', '/00000000-0000-4000-8000-000000000000');
    expect([missing.status, missing.body]).toEqual([404, { message: 'the address does not exist' }]);
    const other = await client.token(SECOND_CLIENT);
    expect((await client.book(other, 'GET', `/${saved[0].id}`)).status).toBe(404);
    expect((await client.book(other, 'GET')).body.data).toEqual([]);
  });
});

describe('list', () => {
  test('three pages partition the collection, with the meta of each', async () => {
    const { book, saved } = await withAddresses(5);
    const pages = [];
    for (const page of [1, 2, 3]) pages.push((await book('GET', `?page=${page}&per_page=2`)).body);
    expect(pages.flatMap(({ data }) => data)).toEqual(saved);
    const common = { total_count: 5, per_page: 2, total_pages: 3 };
    expect(pages.map(({ meta }) => meta)).toEqual([
      { ...common, current_page: 1, next_page: 2, prev_page: null },
      { ...common, current_page: 2, next_page: 3, prev_page: 1 },
      { ...common, current_page: 3, next_page: null, prev_page: 2 },
    ]);
  });

  test('20 items a page by default and at most', async () => {
    const { book } = await withAddresses(21);
    for (const query of ['', '?per_page=21', '?per_page=0', '?per_page=many']) {
      const { body } = await book('GET', query);
      expect([body.data.length, body.meta.per_page, body.meta.total_pages]).toEqual([20, 20, 2]);
    }
  });

  test('an empty collection and a page beyond the end have no neighbours', async () => {
    const empty = (await (await withAddresses(0)).book('GET')).body;
    expect(empty.meta).toEqual({
      total_count: 0,
      per_page: 20,
      current_page: 1,
      total_pages: 0,
      next_page: null,
      prev_page: null,
    });
    const beyond = (await (await withAddresses(1)).book('GET', '?page=3')).body;
    expect(beyond.data).toEqual([]);
    expect(beyond.meta).toMatchObject({ current_page: 3, next_page: null, prev_page: null });
  });
});

describe('delete', () => {
  test('removes one address for good', async () => {
    const { book, saved } = await withAddresses(3);
    const path = `/${saved[1].id}`;
    expect((await book('DELETE', path)).status).toBe(200);
    expect((await book('GET', path)).status).toBe(404);
    const again = await book('DELETE', path);
    expect([again.status, again.body]).toEqual([404, { message: 'the address does not exist' }]);
    const { data, meta } = (await book('GET')).body;
    expect([data, meta.total_count]).toEqual([[saved[0], saved[2]], 2]);
  });
});
