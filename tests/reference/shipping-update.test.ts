/** Updates of the shipping reference: what changes, and what stays. */
import { describe, expect, test } from 'vitest';
import { fullAddress, type Json, withAddresses } from './shipping-client.ts';

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
