import { exportJWK, generateKeyPair } from 'jose';
import { expect, test } from 'vitest';
import { createReference, describeReference, manualClock } from '../../reference/index.ts';
import { FIRST_CLIENT } from '../../reference/shipping/index.ts';
import type { Json } from './shipping-client.ts';

/** A client for a reference that has not been given a socket. */
function reference(options: Partial<Parameters<typeof createReference>[0]> = {}) {
  const made = createReference({ clock: manualClock(), publicUrl: 'http://host', ...options });
  const send = async (method: string, path: string, body?: unknown, authorization = '') => {
    const response = await made.handle(
      new Request(`http://host${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
  };
  const { id, secret } = FIRST_CLIENT;
  const credentials = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  const token = async () =>
    (await send('POST', '/shipping/api/v1/oauth/token', credentials)).body.access_token;
  return { ...made, send, token };
}

test('one clock for all services, moved by its hook', async () => {
  const { send, token, clock } = reference();
  const authorization = `Bearer ${await token()}`;
  const before = clock.now();
  const moved = await send('POST', '/hooks/clock', { advanceSeconds: 7199 });
  expect(moved.body).toEqual({ now: new Date(before + 7_199_000).toISOString() });
  const list = '/shipping/api/v1/address_templates';
  expect((await send('GET', list, undefined, authorization)).status).toBe(200);
  await send('POST', '/hooks/clock', { advanceSeconds: 1 });
  expect((await send('GET', list, undefined, authorization)).status).toBe(401);
});

test('the agent registration knows its public address, even one that is known late', async () => {
  let url = '';
  const { send } = reference({ publicUrl: () => url });
  url = 'http://late.example';
  const { status, body } = await send('GET', '/agents/.well-known/oauth-protected-resource');
  expect(status).toBe(200);
  expect(JSON.stringify(body)).toContain('http://late.example/agents');
});

test('caches are seeded and unseeded by hooks, and their links carry the prefix', async () => {
  const { send } = reference();
  const said = describeReference('http://host', { issuer: 'https://idp.test', key: { kty: 'RSA' } });
  const [owner, repo] = said.caches.repository.split('/');
  const at = '2030-01-01T00:00:00Z';
  const common = {
    owner,
    repo,
    ref: 'refs/heads/main',
    size_in_bytes: 1,
    created_at: at,
    last_accessed_at: at,
  };
  const caches = [
    { ...common, key: 'one' },
    { ...common, key: 'two' },
  ];
  const seeded = await send('POST', '/hooks/seed', { caches });
  expect([seeded.status, seeded.body.caches.length]).toEqual([200, 2]);
  const list = `/caches/repos/${said.caches.repository}/actions/caches?per_page=1`;
  const first = await send('GET', list, undefined, `Bearer ${said.caches.token}`);
  expect([first.status, first.body.total_count]).toEqual([200, 2]);
  expect(first.headers.get('link')).toContain(`<http://host${list}&page=2>; rel="next"`);
  const ids = seeded.body.caches.map(({ id }: Json) => id);
  expect((await send('POST', '/hooks/unseed', { ids })).body).toEqual({});
  const emptied = await send('GET', list, undefined, `Bearer ${said.caches.token}`);
  expect(emptied.body.total_count).toBe(0);
  for (const body of [null, {}, { caches: 1 }, { caches: [{ ...common, repo: 'none', key: 'k' }] }]) {
    expect((await send('POST', '/hooks/seed', body)).status).toBe(400);
  }
});

test('single rules are replaced and services are wrapped', async () => {
  const paths: string[] = [];
  const { send, token } = reference({
    rules: { shipping: { defaultPerPage: 7 } },
    wrap: {
      shipping: (next) => (request) => {
        paths.push(new URL(request.url).pathname);
        return next(request);
      },
    },
  });
  const authorization = `Bearer ${await token()}`;
  const { body } = await send('GET', '/shipping/api/v1/address_templates', undefined, authorization);
  expect(body.meta.per_page).toBe(7);
  expect(paths).toEqual(['/api/v1/oauth/token', '/api/v1/address_templates']);
});

test('two references share nothing', async () => {
  const [one, two] = [reference(), reference()];
  const authorization = `Bearer ${await one.token()}`;
  const list = '/shipping/api/v1/address_templates';
  expect((await one.send('GET', list, undefined, authorization)).status).toBe(200);
  expect((await two.send('GET', list, undefined, authorization)).status).toBe(401);
});

test('what it says of itself is true', async () => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = await exportJWK(privateKey);
  const said = describeReference('http://host', { issuer: 'https://idp.test', key });
  expect(said.agents).toEqual({
    baseUrl: 'http://host/agents',
    issuer: 'https://idp.test',
    key,
    maxAttempts: 400,
  });
  const { send } = reference();
  const path = (url: string) => url.slice('http://host'.length);
  for (const client of [said.shipping, said.shipping.secondClient]) {
    const { status, body } = await send('POST', `${path(said.shipping.baseUrl)}/api/v1/oauth/token`, {
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.clientSecret,
      scope: said.shipping.scopes.join(' '),
    });
    expect([status, body.scope]).toEqual([200, 'read write']);
  }
  expect((await send('POST', path(said.hooks.clock.url), { advanceSeconds: 0 })).status).toBe(200);
});
