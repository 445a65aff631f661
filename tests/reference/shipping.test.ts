import { describe, expect, test } from 'vitest';
import { Validator } from '../../lib/schema/validator.ts';
import { FIRST_CLIENT, SECOND_CLIENT, shippingRules } from '../../reference/shipping/index.ts';
import { shippingSchemas } from '../../schemas/shipping/index.ts';
import { fullAddress, type Json, shippingClient } from './shipping-client.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A client with a token and `count` saved addresses. */
async function withAddresses(count: number) {
  const client = shippingClient();
  const token = await client.token();
  const saved: Json[] = [];
  for (let number = 1; number <= count; number += 1) {
    const address_template = { ...fullAddress(), alias_name: `address ${number}` };
    saved.push((await client.book(token, 'POST', '', { address_template })).body.data);
  }
  return { client, token, saved, book: client.book.bind(undefined, token) };
}

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

describe('update', () => {
  const template = fullAddress();
  const changes: [string, Json, (data: Json) => void][] = [
    ...(['alias_name', 'address_type', 'default'] as const).map(
      (field): [string, Json, (data: Json) => void] => {
        const value = field === 'default' ? false : 'changed';
        return [field, { [field]: value }, (data) => Object.assign(data, { [field]: value })];
      },
    ),
    ...Object.keys(template.address_attributes).map((field): [string, Json, (data: Json) => void] => {
      const value = field === 'country_code' ? 'US' : 'changed';
      return [
        field,
        { address_attributes: { [field]: value } },
        (data) => Object.assign(data.address, { [field]: value }),
      ];
    }),
  ];

  test.each(changes)('%s alone changes, everything else stays', async (_field, address_template, apply) => {
    const { book, saved } = await withAddresses(2);
    const expected = structuredClone(saved[0]);
    apply(expected);
    expect(expected).not.toEqual(saved[0]);
    const patched = await book('PATCH', `/${saved[0].id}`, { id: saved[0].id, address_template });
    expect([patched.status, patched.body.data]).toEqual([200, expected]);
    expect((await book('GET')).body.data).toEqual([expected, saved[1]]);
  });

  test('an empty patch changes nothing, a bad one is refused whole', async () => {
    const { book, saved } = await withAddresses(1);
    const path = `/${saved[0].id}`;
    for (const body of [{}, { address_template: {} }, { address_template: { address_attributes: {} } }]) {
      expect((await book('PATCH', path, body)).body.data).toEqual(saved[0]);
    }
    const bad = { alias_name: 'new', address_attributes: { name: null } };
    expect((await book('PATCH', path, { address_template: bad })).status).toBe(422);
    expect((await book('PATCH', path, { address_template: 'text' })).status).toBe(422);
    expect((await book('GET', path)).body.data).toEqual(saved[0]);
    expect((await book('PATCH', '/none', {})).status).toBe(404);
  });

  test('null clears a nullable property', async () => {
    const { book, saved } = await withAddresses(1);
    const address_template = { address_attributes: { company: null } };
    const { body } = await book('PATCH', `/${saved[0].id}`, { address_template });
    expect(body.data.address).toEqual({ ...saved[0].address, company: null });
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

describe('verify', () => {
  test('is accepted at once and has its outcome two seconds later', async () => {
    const { client, book, saved } = await withAddresses(1);
    const path = `/${saved[0].id}`;
    const accepted = await book('POST', `${path}/verify_by_carriers`, { carriers: ['dhl', 'fedex'] });
    expect(accepted.status).toBe(202);
    const pending = { status: 'pending', verification_id: null };
    const verified_carriers = [
      { carrier_name: 'dhl', ...pending },
      { carrier_name: 'fedex', ...pending },
    ];
    expect(accepted.body.data).toEqual({ ...saved[0], verified_carriers });
    client.clock.advance(1499);
    expect((await book('GET', path)).body.data.verified_carriers).toEqual(verified_carriers);
    client.clock.advance(1);
    const done = { status: 'verified', verification_id: expect.stringMatching(UUID) };
    expect((await book('GET', path)).body.data.verified_carriers).toEqual([
      { carrier_name: 'dhl', ...done },
      { carrier_name: 'fedex', ...done },
    ]);
  });

  test('an undeliverable address is rejected; a second round keeps the other carrier', async () => {
    const { client, book, saved } = await withAddresses(1);
    const path = `/${saved[0].id}`;
    await book('POST', `${path}/verify_by_carriers`, { carriers: ['dhl'] });
    await book('PATCH', path, { address_template: { address_attributes: { postal_code: 'x' } } });
    await book('POST', `${path}/verify_by_carriers`, { carriers: ['fedex', 'fedex'] });
    client.clock.advance(2000);
    expect((await book('GET', path)).body.data.verified_carriers).toMatchObject([
      { carrier_name: 'dhl', status: 'verified' },
      { carrier_name: 'fedex', status: 'rejected' },
    ]);
  });

  test.each([[{}], [{ carriers: [] }], [{ carriers: 'dhl' }], [{ carriers: ['nobody'] }]])(
    '%j starts nothing',
    async (body) => {
      const { book, saved } = await withAddresses(1);
      const path = `/${saved[0].id}`;
      expect((await book('POST', `${path}/verify_by_carriers`, body)).status).toBe(422);
      expect((await book('GET', path)).body.data.verified_carriers).toEqual([]);
    },
  );
});

describe('door', () => {
  const operations = [
    ['GET', ''],
    ['POST', ''],
    ['GET', '/id'],
    ['PATCH', '/id'],
    ['DELETE', '/id'],
    ['POST', '/id/verify_by_carriers'],
  ] as const;

  test.each(operations)('%s %s is shut without a good access token', async (method, path) => {
    const client = shippingClient();
    const { body } = await client.oauth('token', { grant_type: 'client_credentials' });
    const open = (authorization?: string) =>
      client.send(
        method,
        `/address_templates${path}`,
        authorization === undefined ? {} : { authorization },
        method === 'GET' ? undefined : {},
      );
    expect((await open(`Bearer ${body.access_token}`)).status).not.toBe(401);
    await client.oauth('revoke', { token: body.access_token });
    const refused = [
      undefined,
      'Bearer',
      'Bearer garbage',
      `Basic ${body.access_token}`,
      `Bearer ${body.access_token}`,
      `Bearer ${body.refresh_token}`,
    ];
    for (const authorization of refused) {
      const answer = await open(authorization);
      expect([authorization, answer.status]).toEqual([authorization, 401]);
      expect(answer.body.message).toBeTypeOf('string');
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /);
    }
  });

  test('a token closes 7200 seconds after issue, not before', async () => {
    const client = shippingClient();
    const token = await client.token();
    client.clock.advance(7_199_999 - 500);
    expect((await client.book(token, 'GET')).status).toBe(200);
    client.clock.advance(1 - 500);
    expect((await client.book(token, 'GET')).status).toBe(401);
  });

  test('a read-only token writes nothing', async () => {
    const client = shippingClient();
    const token = await client.token(FIRST_CLIENT, 'read');
    expect((await client.book(token, 'GET')).status).toBe(200);
    const refused = await client.book(token, 'POST', '', { address_template: fullAddress() });
    expect(refused.status).toBe(403);
    expect((await client.book(token, 'GET')).body.meta.total_count).toBe(0);
  });
});

describe('rate', () => {
  const list = (client: ReturnType<typeof shippingClient>, token: string) =>
    client.send('GET', '/address_templates', { authorization: `Bearer ${token}` });

  test('two a second for each token, over any second', async () => {
    const client = shippingClient();
    const [one, two] = [await client.token(), await client.token()];
    const statuses: number[] = [];
    for (const ms of [0, 600, 300, 99, 1, 0, 599, 1]) {
      client.clock.advance(ms);
      statuses.push((await list(client, one)).status);
    }
    // Let through at 0, 600, 1000 and 1600 ms: never more than two within a second.
    expect(statuses).toEqual([200, 200, 429, 429, 200, 429, 429, 200]);
    expect((await list(client, two)).status).toBe(200);
    const refused = await list(client, one);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  });

  test('OAuth endpoints have no rate', async () => {
    const client = shippingClient();
    const token = await client.token();
    for (let call = 0; call < 5; call += 1) {
      expect((await client.oauth('introspect', { token })).status).toBe(200);
    }
  });
});

describe('rules', () => {
  test('every one that is a function is called by a tour of the service', async () => {
    const unused = new Set<string>();
    const rules = Object.fromEntries(
      Object.entries(shippingRules).map(([name, rule]) => {
        if (typeof rule !== 'function') return [name, rule];
        unused.add(name);
        return [
          name,
          (...given: Json[]) => {
            unused.delete(name);
            return (rule as (...given: Json[]) => unknown)(...given);
          },
        ];
      }),
    );
    const client = shippingClient({ rules });
    const token = await client.token(FIRST_CLIENT, 'read write');
    const address_template = fullAddress();
    const { id } = (await client.book(token, 'POST', '', { address_template })).body.data;
    await client.book(token, 'GET');
    await client.book(token, 'PATCH', `/${id}`, { address_template });
    await client.book(token, 'POST', `/${id}/verify_by_carriers`, { carriers: ['dhl'] });
    await client.book(token, 'GET', `/${id}`);
    await client.book(token, 'DELETE', `/${id}`);
    await client.book(token, 'GET', `/${id}`);
    await client.oauth('introspect', { token });
    await client.oauth('revoke', { token });
    await client.oauth('introspect', { token });
    const { body } = await client.oauth('token', { grant_type: 'client_credentials' });
    await client.oauth('token', { grant_type: 'refresh_token', refresh_token: body.refresh_token });
    await client.oauth('token', { client_secret: 'wrong' });
    expect([...unused]).toEqual([]);
  });

  test('a replaced rule is seen by the rules that use it', async () => {
    const client = shippingClient({ rules: { maxPerPage: 1 } });
    const token = await client.token();
    await client.book(token, 'POST', '', { address_template: fullAddress() });
    expect((await client.book(token, 'GET', '?per_page=9')).body.meta.per_page).toBe(1);
  });
});

describe('schemas', () => {
  const validator = new Validator(shippingSchemas);

  test('answers of every kind fit them', async () => {
    const { client, token, saved, book } = await withAddresses(3);
    const path = `/${saved[0].id}`;
    const accepted = await book('POST', `${path}/verify_by_carriers`, { carriers: ['dhl'] });
    client.clock.advance(2000);
    const answers: [string, Json][] = [
      ['AddressList', (await book('GET', '?per_page=2')).body],
      ['AddressList', (await book('GET', '?per_page=2&page=2')).body],
      ['AddressEnvelope', accepted.body],
      ['AddressEnvelope', (await book('GET', path)).body],
      ['AddressEnvelope', (await book('PATCH', path, {})).body],
      ['AddressError', (await book('GET', '/none')).body],
      ['AddressError', (await book('POST', '', {})).body],
      ['AddressError', (await book('POST', '', '{')).body],
      ['AddressError', (await client.book('garbage', 'GET')).body],
      ['TokenResponse', (await client.oauth('token', { grant_type: 'client_credentials' })).body],
      ['OAuthError', (await client.oauth('token', {})).body],
      ['OAuthError', (await client.oauth('token', { client_id: undefined })).body],
      ['OAuthError', (await client.oauth('revoke', { token, client_secret: 'wrong' })).body],
    ];
    for (const [name, body] of answers) expect([name, validator.check(name, body)]).toEqual([name, []]);
  });
});

describe('elsewhere', () => {
  test('an unknown path answers 404 as JSON', async () => {
    const answer = await shippingClient().send('GET', '/nothing');
    expect([answer.status, answer.body]).toEqual([404, { message: 'there is no such endpoint' }]);
  });
});
