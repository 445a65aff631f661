/** The rules of the shipping reference, and what fits its schemas. */
import { describe, expect, test } from 'vitest';
import { Validator } from '../../lib/check/validator.ts';
import { FIRST_CLIENT, shippingRules } from '../../reference/shipping/index.ts';
import { shippingSchemas } from '../../schemas/shipping/index.ts';
import { fullAddress, type Json, shippingClient, withAddresses } from './shipping-client.ts';

describe('rules', () => {
  test('every one that is a function is called by requests to all endpoints', async () => {
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
