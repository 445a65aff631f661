import { describe, expect, test } from 'vitest';
import { FIRST_CLIENT, SECOND_CLIENT } from '../../reference/shipping/index.ts';
import { type Json, shippingClient } from './shipping-client.ts';

const grant_type = 'client_credentials';
const OTHER = { client_id: SECOND_CLIENT.id, client_secret: SECOND_CLIENT.secret };

/** A client and the whole token response of a client credentials grant. */
async function granted(parameters: Record<string, unknown> = {}) {
  const client = shippingClient();
  const { body } = await client.oauth('token', { grant_type, ...parameters });
  const active = async (token: string, more: Record<string, unknown> = {}) =>
    (await client.oauth('introspect', { token, ...more })).body.active;
  return { client, issued: body as Json, active };
}

describe.each(['json', 'form'] as const)('token endpoint, %s body', (as) => {
  test('client credentials give the documented token response', async () => {
    const { status, headers, body } = await shippingClient().oauth('token', { grant_type }, as);
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 7200,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      scope: 'read write',
      created_at: Date.UTC(2030, 0, 1) / 1000,
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test.each([['client_id'], ['client_secret']])('without %s: 400', async (name) => {
    for (const value of [undefined, '']) {
      const { status, body } = await shippingClient().oauth('token', { grant_type, [name]: value }, as);
      expect([status, body]).toEqual([
        400,
        { error: 'invalid_request', error_description: `${name} is missing` },
      ]);
    }
  });

  test('an unknown client and a wrong secret: 401', async () => {
    for (const wrong of [
      { client_id: 'nobody' },
      { client_secret: 'wrong' },
      { client_secret: OTHER.client_secret },
    ]) {
      const { status, headers, body } = await shippingClient().oauth('token', { grant_type, ...wrong }, as);
      expect([status, body.error, typeof body.error_description]).toEqual([401, 'invalid_client', 'string']);
      expect(headers.get('www-authenticate')).toMatch(/^Basic /);
    }
  });

  test.each([
    [{ grant_type: undefined }, 'invalid_request'],
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
    [{ grant_type: 'constructor' }, 'unsupported_grant_type'],
    [{ redirect_uri: 'https://elsewhere.example/' }, 'invalid_grant'],
    [{ redirect_uri: SECOND_CLIENT.redirectUri }, 'invalid_grant'],
    [{ scope: 'read admin' }, 'invalid_scope'],
    [{ grant_type: 'refresh_token' }, 'invalid_request'],
    [{ grant_type: 'refresh_token', refresh_token: 'garbage' }, 'invalid_grant'],
  ])('%j: no token (%s)', async (parameters, error) => {
    const { status, body } = await shippingClient().oauth('token', { grant_type, ...parameters }, as);
    expect([status, body.error]).toEqual([400, error]);
    expect(body).not.toHaveProperty('access_token');
  });

  test('the stored redirect URI and a narrower scope are accepted', async () => {
    const parameters = { grant_type, redirect_uri: FIRST_CLIENT.redirectUri, scope: 'write' };
    const { status, body } = await shippingClient().oauth('token', parameters, as);
    expect([status, body.scope]).toEqual([200, 'write']);
  });

  test('a refresh token gives another access token, and the first stays good', async () => {
    const { client, issued, active } = await granted();
    const parameters = { grant_type: 'refresh_token', refresh_token: issued.refresh_token };
    const { status, body } = await client.oauth('token', parameters, as);
    expect([status, body.scope, body.expires_in]).toEqual([200, 'read write', 7200]);
    expect(body.access_token).not.toBe(issued.access_token);
    expect(await active(issued.access_token)).toBe(true);
    expect(await active(body.access_token)).toBe(true);
  });
});

describe('refresh', () => {
  test('is not for another client, an access token or a revoked refresh token', async () => {
    const { client, issued } = await granted();
    const refresh = (refresh_token: string, more = {}) =>
      client.oauth('token', { grant_type: 'refresh_token', refresh_token, ...more });
    expect((await refresh(issued.refresh_token, OTHER)).body.error).toBe('invalid_grant');
    expect((await refresh(issued.access_token)).body.error).toBe('invalid_grant');
    await client.oauth('revoke', { token: issued.refresh_token });
    expect((await refresh(issued.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('cannot widen the scope', async () => {
    const { client, issued } = await granted({ scope: 'read' });
    const parameters = { grant_type: 'refresh_token', refresh_token: issued.refresh_token };
    expect((await client.oauth('token', parameters)).body.scope).toBe('read');
    expect((await client.oauth('token', { ...parameters, scope: 'write' })).body.error).toBe('invalid_scope');
  });

  test('works after the access token has expired', async () => {
    const { client, issued, active } = await granted();
    client.clock.advance(7_200_000);
    expect(await active(issued.access_token)).toBe(false);
    const parameters = { grant_type: 'refresh_token', refresh_token: issued.refresh_token };
    expect((await client.oauth('token', parameters)).status).toBe(200);
  });
});

describe.each(['json', 'form'] as const)('revoke, %s body', (as) => {
  test.each([[undefined], ['access_token'], ['refresh_token'], ['nonsense']])(
    'hint %s: the token ends at once, others do not',
    async (token_type_hint) => {
      const { client, issued, active } = await granted();
      const other = await client.token();
      const { status, body } = await client.oauth(
        'revoke',
        { token: issued.access_token, token_type_hint },
        as,
      );
      expect([status, body]).toEqual([200, {}]);
      expect(await active(issued.access_token)).toBe(false);
      expect(await active(issued.refresh_token)).toBe(true);
      expect(await active(other)).toBe(true);
    },
  );

  test('a refresh token takes its access tokens along', async () => {
    const { client, issued, active } = await granted();
    expect((await client.oauth('revoke', { token: issued.refresh_token }, as)).status).toBe(200);
    expect(await active(issued.access_token)).toBe(false);
  });

  test.each([
    ['a wrong secret', { client_secret: 'wrong' }],
    ['no secret', { client_secret: undefined }],
    ['no client', { client_id: undefined }],
    ['another client', OTHER],
  ])('%s: 403, and the token survives', async (_name, parameters) => {
    const { client, issued, active } = await granted();
    const { status, body } = await client.oauth('revoke', { token: issued.access_token, ...parameters }, as);
    expect([status, body.error, typeof body.error_description]).toEqual([
      403,
      'unauthorized_client',
      'string',
    ]);
    expect(await active(issued.access_token)).toBe(true);
  });

  test('an unknown token is as good as revoked; none at all is an error', async () => {
    const client = shippingClient();
    expect((await client.oauth('revoke', { token: 'unknown' }, as)).status).toBe(200);
    expect((await client.oauth('revoke', {}, as)).status).toBe(400);
  });
});

describe.each(['json', 'form'] as const)('introspect, %s body', (as) => {
  test('tells active tokens from all others', async () => {
    const { client, issued } = await granted();
    const about = async (token: string, more = {}) =>
      (await client.oauth('introspect', { token, ...more }, as)).body;
    const iat = Date.UTC(2030, 0, 1) / 1000;
    const common = { active: true, scope: 'read write', client_id: FIRST_CLIENT.id, iat };
    expect(await about(issued.access_token)).toEqual({ ...common, token_type: 'Bearer', exp: iat + 7200 });
    expect(await about(issued.refresh_token)).toEqual(common);
    expect(await about(issued.access_token, { token_type_hint: 'refresh_token' })).toMatchObject({
      active: true,
    });
    expect(await about('never-issued')).toEqual({ active: false });
    expect(await about(issued.access_token, OTHER)).toEqual({ active: false });
    client.clock.advance(7_200_000);
    expect(await about(issued.access_token)).toEqual({ active: false });
  });

  test('refuses wrong and missing credentials and a missing token', async () => {
    const { client, issued } = await granted();
    const token = issued.access_token;
    expect((await client.oauth('introspect', { token, client_secret: 'wrong' }, as)).status).toBe(401);
    expect((await client.oauth('introspect', { token, client_id: undefined }, as)).status).toBe(401);
    expect((await client.oauth('introspect', {}, as)).status).toBe(400);
  });
});

describe('HTTP Basic', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const basic = (credentials: string) => ({ ...form, authorization: `Basic ${btoa(credentials)}` });
  const ask = (headers: Record<string, string>, query = '') =>
    shippingClient().send('POST', `/oauth/token${query}`, headers, `grant_type=${grant_type}`);

  test('takes the place of credentials in the body', async () => {
    const encoded = FIRST_CLIENT.secret.replaceAll('-', '%2D');
    expect((await ask(basic(`${FIRST_CLIENT.id}:${encoded}`))).status).toBe(200);
    expect((await ask(basic(`${FIRST_CLIENT.id}:wrong`))).status).toBe(401);
    expect((await ask(basic(`${FIRST_CLIENT.id}`))).status).toBe(400);
  });

  test('credentials in the query string do not', async () => {
    const query = `?client_id=${FIRST_CLIENT.id}&client_secret=${FIRST_CLIENT.secret}`;
    expect((await ask(form, query)).status).toBe(400);
  });
});

describe('bodies of the OAuth endpoints', () => {
  test.each([
    ['application/json', '{"grant_type":'],
    ['application/json', '[]'],
    ['application/json', '{"grant_type":"client_credentials","client_id":7,"client_secret":"x"}'],
    ['application/x-www-form-urlencoded', 'client_id=a&client_id=b&client_secret=x'],
    ['text/plain', 'grant_type=client_credentials'],
    ['', 'grant_type=client_credentials'],
  ])('%s %s: 400', async (type, text) => {
    const answer = await shippingClient().send('POST', '/oauth/token', { 'content-type': type }, text);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  });
});
