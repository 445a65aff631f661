/** Third-party clients against the reference over a loopback socket. */
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { ClientCredentials } from 'simple-oauth2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manualClock } from '../../reference/kit/clock.ts';
import { type Listening, listen } from '../../reference/kit/listen.ts';
import { mount } from '../../reference/kit/mount.ts';
import { createShipping, FIRST_CLIENT } from '../../reference/shipping/index.ts';
import { fullAddress, type Json } from './shipping-client.ts';

const clock = manualClock();
let server: Listening;
let api: string;

beforeAll(async () => {
  server = await listen(mount({ '/shipping': createShipping({ clock }).handle }));
  api = `${server.url}/shipping/api/v1`;
});

afterAll(() => server.close());

test('the Location of a new address leads to it, prefix included', async () => {
  const { id, secret } = FIRST_CLIENT;
  const credentials = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  const token = await fetch(`${api}/oauth/token`, { method: 'POST', body: new URLSearchParams(credentials) });
  const headers = { authorization: `Bearer ${((await token.json()) as Json).access_token}` };
  const body = JSON.stringify({ address_template: fullAddress() });
  const created = await fetch(`${api}/address_templates`, { method: 'POST', headers, body });
  const location = new URL(created.headers.get('location')!, created.url);
  expect(await (await fetch(location, { headers })).json()).toEqual(await created.json());
  clock.advance(1000);
  expect((await fetch(location, { method: 'DELETE', headers })).status).toBe(200);
});

/** The status of a list request with this token. */
async function statusOfList(token: string): Promise<number> {
  clock.advance(500);
  const response = await fetch(`${api}/address_templates`, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return response.status;
}

function metadata() {
  return {
    issuer: server.url,
    token_endpoint: `${api}/oauth/token`,
    revocation_endpoint: `${api}/oauth/revoke`,
    introspection_endpoint: `${api}/oauth/introspect`,
  };
}

describe('oauth4webapi', () => {
  const client: oauth.Client = { client_id: FIRST_CLIENT.id };
  const secret = oauth.ClientSecretPost(FIRST_CLIENT.secret);
  const insecure = { [oauth.allowInsecureRequests]: true };

  async function obtain(parameters: Record<string, string> = {}) {
    const as = metadata();
    const response = await oauth.clientCredentialsGrantRequest(as, client, secret, parameters, insecure);
    return oauth.processClientCredentialsResponse(as, client, response);
  }

  async function introspect(token: string) {
    const as = metadata();
    const response = await oauth.introspectionRequest(as, client, secret, token, insecure);
    return oauth.processIntrospectionResponse(as, client, response);
  }

  test('client credentials: the token opens the address book', async () => {
    const token = await obtain({ scope: 'read' });
    expect(token).toMatchObject({ token_type: 'bearer', expires_in: 7200, scope: 'read' });
    expect(await statusOfList(token.access_token)).toBe(200);
    clock.advance(500);
    const response = await oauth.protectedResourceRequest(
      token.access_token,
      'GET',
      new URL(`${api}/address_templates`),
      undefined,
      undefined,
      insecure,
    );
    expect(await response.json()).toMatchObject({ data: [], meta: { total_count: 0 } });
  });

  test('refresh: another token with the same scope', async () => {
    const as = metadata();
    const token = await obtain({ scope: 'write' });
    const response = await oauth.refreshTokenGrantRequest(as, client, secret, token.refresh_token!, insecure);
    const refreshed = await oauth.processRefreshTokenResponse(as, client, response);
    expect(refreshed.access_token).not.toBe(token.access_token);
    expect(refreshed.scope).toBe('write');
  });

  test('revoke and introspect', async () => {
    const as = metadata();
    const { access_token } = await obtain();
    expect(await introspect(access_token)).toMatchObject({ active: true, client_id: client.client_id });
    const response = await oauth.revocationRequest(as, client, secret, access_token, insecure);
    expect(await oauth.processRevocationResponse(response)).toBeUndefined();
    expect(await introspect(access_token)).toEqual({ active: false });
    expect(await statusOfList(access_token)).toBe(401);
  });

  test('credentials by HTTP Basic', async () => {
    const as = metadata();
    const basic = oauth.ClientSecretBasic(FIRST_CLIENT.secret);
    const response = await oauth.clientCredentialsGrantRequest(as, client, basic, {}, insecure);
    expect((await oauth.processClientCredentialsResponse(as, client, response)).scope).toBe('read write');
  });

  test('errors arrive as OAuth errors', async () => {
    const as = metadata();
    const wrong = oauth.ClientSecretPost('wrong');
    const response = await oauth.clientCredentialsGrantRequest(as, client, wrong, {}, insecure);
    const refused = oauth.processClientCredentialsResponse(as, client, response);
    // This client shows a 401 by its challenge, and leaves the body unread for its caller.
    const error: oauth.WWWAuthenticateChallengeError = await refused.then(
      () => Promise.reject(new Error('a wrong secret got a token')),
      (reason) => reason,
    );
    expect(error).toBeInstanceOf(oauth.WWWAuthenticateChallengeError);
    expect([error.status, error.cause]).toMatchObject([401, [{ scheme: 'basic' }]]);
    expect(await error.response.json()).toMatchObject({ error: 'invalid_client' });
    await expect(obtain({ scope: 'admin' })).rejects.toMatchObject({ status: 400, error: 'invalid_scope' });
    const revocation = await oauth.revocationRequest(as, client, wrong, 'token', insecure);
    await expect(oauth.processRevocationResponse(revocation)).rejects.toMatchObject({
      status: 403,
      error: 'unauthorized_client',
    });
  });
});

describe('openid-client', () => {
  function configure() {
    const { id, secret } = FIRST_CLIENT;
    const config = new openid.Configuration(metadata(), id, undefined, openid.ClientSecretPost(secret));
    openid.allowInsecureRequests(config);
    return config;
  }

  test('client credentials, refresh, introspect and revoke', async () => {
    const config = configure();
    const token = await openid.clientCredentialsGrant(config, { redirect_uri: FIRST_CLIENT.redirectUri });
    expect(token.expires_in).toBe(7200);
    const refreshed = await openid.refreshTokenGrant(config, token.refresh_token!, { scope: 'read' });
    expect(refreshed.scope).toBe('read');
    await openid.tokenRevocation(config, token.refresh_token!, { token_type_hint: 'refresh_token' });
    expect(await openid.tokenIntrospection(config, refreshed.access_token)).toEqual({ active: false });
    const again = openid.refreshTokenGrant(config, token.refresh_token!);
    await expect(again).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});

describe.each(['form', 'json'] as const)('simple-oauth2 with %s bodies', (bodyFormat) => {
  function client(secret = FIRST_CLIENT.secret) {
    return new ClientCredentials({
      client: { id: FIRST_CLIENT.id, secret },
      auth: {
        tokenHost: server.url,
        tokenPath: '/shipping/api/v1/oauth/token',
        revokePath: '/shipping/api/v1/oauth/revoke',
      },
      options: { bodyFormat, authorizationMethod: 'body' },
    });
  }

  test('obtain, use, refresh and revoke', async () => {
    const first = await client().getToken({ scope: 'read write' });
    expect(first.token).toMatchObject({ token_type: 'Bearer', expires_in: 7200, scope: 'read write' });
    expect([first.expired(), first.expired(7201)]).toEqual([false, true]);
    const second = await first.refresh();
    expect(await statusOfList(second.token.access_token)).toBe(200);
    expect(await first.revoke('access_token')).toEqual({});
    expect(await statusOfList(first.token.access_token)).toBe(401);
    expect(await statusOfList(second.token.access_token)).toBe(200);
    await first.revoke('refresh_token');
    await expect(first.refresh()).rejects.toMatchObject({ data: { payload: { error: 'invalid_grant' } } });
  });

  test('a wrong secret is distinguished', async () => {
    await expect(client('wrong').getToken({})).rejects.toMatchObject({
      output: { statusCode: 401 },
      data: { payload: { error: 'invalid_client' } },
    });
  });
});
