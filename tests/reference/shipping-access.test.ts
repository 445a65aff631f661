/** Who may use the address book of the shipping reference, and how often. */
import { describe, expect, test } from 'vitest';
import { FIRST_CLIENT } from '../../reference/shipping/index.ts';
import { fullAddress, shippingClient } from './shipping-client.ts';

describe('access', () => {
  const operations = [
    ['GET', ''],
    ['POST', ''],
    ['GET', '/id'],
    ['PATCH', '/id'],
    ['DELETE', '/id'],
    ['POST', '/id/verify_by_carriers'],
  ] as const;

  test.each(operations)('%s %s is refused without a valid access token', async (method, path) => {
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

  test('a token expires 7200 seconds after issue, not before', async () => {
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
