import { describe, expect, test } from 'vitest';
import { Validator } from '../../lib/schema/validator.ts';
import { agentRules, createAgents } from '../../reference/agents/index.ts';
import { agentSchemas, errorCodes } from '../../schemas/agents/index.ts';
import {
  base,
  claims,
  compact,
  confused,
  forged,
  mint,
  resource,
  service,
  signText,
  start,
} from './agents-idp.ts';

const validator = new Validator(agentSchemas);
const now = start / 1000;

describe('discovery', () => {
  test('an unauthenticated call is challenged with the address of the metadata', async () => {
    const { scrape, get } = service();
    for (const answer of [await scrape({}), await get('/'), await get('/v1/anything')]) {
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe(
        `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource"`,
      );
    }
  });

  test('both documents fit their schemas and lead to each other', async () => {
    const { get } = service();
    const answer = await get('/.well-known/oauth-protected-resource');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    const protectedResource = (await answer.json()) as Record<string, string>;
    expect(validator.check('ProtectedResourceMetadata', protectedResource)).toEqual([]);
    expect(protectedResource.resource).toBe(resource);
    expect(protectedResource.agent_auth_uri).toBe(`${base}/.well-known/oauth-authorization-server`);

    const server = (await (await get('/.well-known/oauth-authorization-server')).json()) as {
      agent_auth: Record<string, unknown>;
    };
    expect(validator.check('AuthorizationServerMetadata', server)).toEqual([]);
    expect(server.agent_auth).toMatchObject({
      register_uri: `${base}/agent/auth`,
      identity_types_supported: ['identity_assertion'],
      events_supported: [],
    });
    expect((await get('/auth.md')).status).toBe(200);
    expect((await get('/logo.svg')).status).toBe(200);
  });

  test('a public URL that is known late is asked for with every request', async () => {
    let port = 1;
    const { clock } = service();
    const { handle } = createAgents({
      clock,
      issuer: 'https://idp.example',
      jwks: { keys: [] },
      publicUrl: () => `http://127.0.0.1:${port}/agents`,
    });
    const read = async () =>
      (await handle(new Request('http://a.example/.well-known/oauth-protected-resource'))).json();
    expect(await read()).toMatchObject({ resource: 'http://127.0.0.1:1/agents/v2' });
    port = 2;
    expect(await read()).toMatchObject({ resource: 'http://127.0.0.1:2/agents/v2' });
  });

  test.each([
    ['/agent/auth', 'GET', 'POST'],
    ['/.well-known/oauth-protected-resource', 'POST', 'GET, HEAD'],
    ['/.well-known/oauth-authorization-server', 'DELETE', 'GET, HEAD'],
  ])('%s refuses %s', async (path, method, allow) => {
    const answer = await service().get(path, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allow);
  });
});

describe('registration', () => {
  test('answers with the whole registration', async () => {
    const { answer, status, body } = await service().register(await mint());
    expect(status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(validator.check('RegistrationResponse', body)).toEqual([]);
    expect(body.credential).toBe(body.api_key);
    expect(body.scopes).toEqual(['service:global']);
  });

  test('the same user gets another key under the same id, another user another id', async () => {
    const { register, scrape } = service();
    const first = (await register(await mint())).body;
    const second = (await register(await mint())).body;
    const other = (await register(await mint({ sub: 'user-2', email: 'user-2@example.com' }))).body;
    expect(second.user_id).toBe(first.user_id);
    expect(second.api_key).not.toBe(first.api_key);
    expect(second.registration_id).not.toBe(first.registration_id);
    expect(other.user_id).not.toBe(first.user_id);
    for (const { api_key } of [first, second, other]) {
      expect((await scrape({ authorization: `Bearer ${api_key}` })).status).toBe(200);
    }
  });

  test('an assertion is good up to its exp and not beyond', async () => {
    const { clock, register } = service();
    const last = await mint({ exp: now + 300 });
    const late = await mint({ exp: now + 300 });
    clock.advance(299_000);
    expect((await register(last)).status).toBe(200);
    clock.advance(1_000);
    expect((await register(late)).body.error).toBe('credential_expired');
  });
});

/** One case: how the request differs from a good one, what it is refused with. */
type Case = [name: string, assertion: () => Promise<unknown> | unknown, code: string, changes?: object];

const bad = (changes: Record<string, unknown>) => () => mint(changes);
const header = (changes: Record<string, unknown>) => () => mint({}, changes);
const fields = (changes: object, code: string, name = JSON.stringify(changes)): Case => [
  `body with ${name}`,
  () => mint(),
  code,
  changes,
];

const cases: Case[] = [
  fields({ type: undefined }, 'invalid_request', 'no type'),
  fields({ assertion_type: undefined }, 'invalid_request', 'no assertion_type'),
  fields({ assertion: undefined }, 'invalid_request', 'no assertion'),
  fields({ requested_credential_type: undefined }, 'invalid_request', 'no requested_credential_type'),
  fields({ assertion: '' }, 'invalid_request'),
  fields({ assertion: 42 }, 'invalid_request'),
  fields({ type: 'anonymous' }, 'invalid_request'),
  fields({ assertion_type: 'verified_email' }, 'invalid_request'),
  fields({ requested_credential_type: 'access_token' }, 'unsupported_credential_type'),
  ['alg none', () => compact({ typ: 'oauth-id-jag+jwt', alg: 'none' }, claims()), 'invalid_signature'],
  ['HS256 keyed with the PEM', () => confused('pem'), 'invalid_signature'],
  ['HS256 keyed with the JWK', () => confused('jwk'), 'invalid_signature'],
  ...['RS384', 'RS512', 'PS256', 'ES256'].map((alg): Case => [alg, header({ alg }), 'invalid_signature']),
  ['the key of another', () => forged(), 'invalid_signature'],
  ['a key in the header', () => forged(true), 'invalid_signature'],
  ['an unknown kid', header({ kid: 'k2' }), 'invalid_signature'],
  ['a changed payload', async () => swapPayload(await mint(), claims({ sub: 'root' })), 'invalid_signature'],
  ['no signature', async () => (await mint()).replace(/[^.]*$/, ''), 'invalid_signature'],
  ['no typ', header({ typ: undefined }), 'invalid_assertion'],
  ['typ JWT', header({ typ: 'JWT' }), 'invalid_assertion'],
  ['an unknown crit', header({ crit: ['x'], x: 1 }), 'invalid_assertion'],
  ['another audience', bad({ aud: 'https://other.example' }), 'audience_mismatch'],
  ['an audience that goes on', bad({ aud: `${resource}.evil.example` }), 'audience_mismatch'],
  ['half an audience', bad({ aud: resource.slice(0, -1) }), 'audience_mismatch'],
  ['an audience with a slash', bad({ aud: `${resource}/` }), 'audience_mismatch'],
  ['two audiences', bad({ aud: [resource, 'https://other.example'] }), 'audience_mismatch'],
  ['no audience', bad({ aud: undefined }), 'audience_mismatch'],
  ['another issuer', bad({ iss: 'https://other.example' }), 'issuer_not_enabled'],
  ['an issuer with a slash', bad({ iss: 'https://idp.example/' }), 'issuer_not_enabled'],
  ['no issuer', bad({ iss: undefined }), 'issuer_not_enabled'],
  ['expired by a second', bad({ exp: now - 1 }), 'credential_expired'],
  ['expired by an hour', bad({ exp: now - 3600 }), 'credential_expired'],
  ['no exp', bad({ exp: undefined }), 'invalid_assertion'],
  ['exp a year ahead', bad({ exp: now + 31_536_000 }), 'invalid_assertion'],
  ['nbf ahead', bad({ nbf: now + 60 }), 'invalid_assertion'],
  ['no sub', bad({ sub: undefined }), 'invalid_assertion'],
  ['no jti', bad({ jti: undefined }), 'invalid_assertion'],
  ...[false, 'true', 1, undefined].map(
    (email_verified): Case => [
      `email_verified ${JSON.stringify(email_verified)}`,
      bad({ email_verified }),
      'missing_verified_email',
    ],
  ),
  ['no email', bad({ email: undefined }), 'missing_verified_email'],
  [
    'a verified phone alone',
    bad({ email: undefined, email_verified: undefined, phone_number: '+1', phone_number_verified: true }),
    'missing_verified_email',
  ],
  ['no JWT', () => 'not a token', 'invalid_assertion'],
  ['three garbage parts', () => '!!.!!.!!', 'invalid_assertion'],
  ['a signed list', () => signText('[1]'), 'invalid_assertion'],
  ['a signed text', () => signText('claims'), 'invalid_assertion'],
];

/** A promise with its resolver (Promise.withResolvers is not in Node 20). */
function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Same header and signature around other claims. */
function swapPayload(token: string, payload: unknown): string {
  const [head, , signature] = token.split('.');
  return `${head}.${compact({}, payload).split('.')[1]}.${signature}`;
}

describe('refusals', () => {
  test.each(cases)('%s', async (_name, assertion, code, changes) => {
    const { register } = service();
    const { answer, status, body } = await register(await assertion(), { ...changes });
    expect(body).toMatchObject({ error: code, error_description: expect.stringMatching(/./) });
    expect(body).not.toHaveProperty('api_key');
    expect(validator.check('RegistrationError', body)).toEqual([]);
    expect(status).toBe(agentRules.errors[code as keyof typeof agentRules.errors].status);
    expect(answer.headers.has('www-authenticate')).toBe(status === 401);
    expect((await register(await mint())).status).toBe(200);
  });

  test.each(['{', '', 'null', '[]', '"text"'])('the body %j', async (text) => {
    const { status, body } = await service().post(text);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
  });

  test('the table has the ten codes with their statuses', () => {
    const statuses = Object.entries(agentRules.errors).map(([code, { status }]) => [code, status]);
    const client = { invalid_request: 400, unsupported_credential_type: 400, server_error: 500 };
    expect(statuses).toEqual(
      errorCodes.map((code) => [code, (client as Record<string, number>)[code] ?? 401]),
    );
  });
});

describe('replay', () => {
  test('a used jti is refused: the token again, newly signed, for another user, after its exp', async () => {
    const { clock, register } = service();
    const token = await mint({ jti: 'once' });
    expect((await register(token)).status).toBe(200);
    expect((await register(await mint())).status).toBe(200);
    for (const again of [token, await mint({ jti: 'once' }), await mint({ jti: 'once', sub: 'user-2' })]) {
      const { status, body } = await register(again);
      expect([status, body.error]).toEqual([401, 'replay_detected']);
    }
    clock.advance(600_000);
    expect((await register(await mint({ jti: 'once', exp: now + 900 }))).body.error).toBe('replay_detected');
  });

  test('of a burst exactly one succeeds', async () => {
    const { register } = service();
    const token = await mint();
    const answers = await Promise.all(Array.from({ length: 20 }, () => register(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const errors = answers.filter(({ status }) => status !== 200).map(({ body }) => body.error);
    expect(new Set(errors)).toEqual(new Set(['replay_detected']));
  });

  test('a refused assertion is not used up', async () => {
    const { register } = service();
    expect((await register(await mint({ jti: 'later', aud: 'https://other.example' }))).status).toBe(401);
    expect((await register(await mint({ jti: 'later' }))).status).toBe(200);
  });

  test('a failure of the service is server_error and leaves the assertion usable', async () => {
    let broken = true;
    const { register } = service({
      provision: async () => {
        if (broken) throw new Error('store is down');
      },
    });
    const token = await mint();
    const { status, body } = await register(token);
    expect([status, body.error]).toEqual([500, 'server_error']);
    broken = false;
    expect((await register(token)).status).toBe(200);
    expect((await register(token)).body.error).toBe('replay_detected');
  });
});

describe('the door', () => {
  test('takes the key in the header, whatever the case of the scheme', async () => {
    const { register, scrape } = service();
    const { api_key } = (await register(await mint())).body;
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const answer = await scrape({ authorization: `${scheme} ${api_key}` });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ success: true, data: { url: 'https://a.example' } });
    }
    expect((await scrape({ authorization: `Bearer ${api_key}` }, '/v2/other')).status).toBe(404);
    expect((await scrape({ authorization: `Bearer ${api_key}` }, '/v2/scrape', '{')).status).toBe(400);
  });

  test('takes it nowhere else and takes nothing else', async () => {
    const { register, scrape } = service();
    const assertion = await mint();
    const { api_key } = (await register(assertion)).body as { api_key: string };
    const middle = api_key.slice(0, 20) + (api_key[20] === '0' ? '1' : '0') + api_key.slice(21);
    const others = [middle, api_key.slice(0, -1), `${api_key}a`, 'key_unknown', assertion, ''];
    for (const other of others) {
      expect((await scrape({ authorization: `Bearer ${other}` })).status, other).toBe(401);
    }
    const refused = await scrape({ authorization: `Bearer ${middle}` });
    expect(refused.headers.get('www-authenticate')).toMatch(
      /^Bearer resource_metadata="[^"]+", error="invalid_token"$/,
    );
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await scrape({}, `/v2/scrape?access_token=${api_key}`)).status).toBe(401);
    expect((await scrape(form, '/v2/scrape', `access_token=${api_key}`)).status).toBe(401);
    expect((await scrape({}, '/v2/scrape', JSON.stringify({ api_key }))).status).toBe(401);
    expect((await scrape({ 'x-api-key': api_key })).status).toBe(401);
    expect((await scrape({ authorization: api_key })).status).toBe(401);
    expect((await scrape({ authorization: `Basic ${btoa(`${api_key}:`)}` })).status).toBe(401);
  });

  test('a key does not expire', async () => {
    const { clock, register, scrape } = service();
    const { api_key } = (await register(await mint())).body;
    clock.advance(10 * 365 * 86_400_000);
    expect((await scrape({ authorization: `Bearer ${api_key}` })).status).toBe(200);
  });
});

test('a replaced rule changes what it is for and nothing else', async () => {
  const lenient = service({
    algorithms: ['RS256', 'RS384'],
    requiredFields: agentRules.requiredFields.filter((field) => field !== 'type'),
    findKey: (keys, key) => [...keys.values()].find(({ apiKey }) => apiKey.startsWith(key)),
  });
  expect((await lenient.register(await mint({}, { alg: 'RS384' }))).status).toBe(200);
  expect((await lenient.register(await mint({}, { alg: 'PS256' }))).body.error).toBe('invalid_signature');
  const { status, body } = await lenient.register(await mint(), { type: undefined });
  expect(status).toBe(200);
  const half = String(body.api_key).slice(0, 12);
  expect((await lenient.scrape({ authorization: `Bearer ${half}` })).status).toBe(200);
});

test('a replay store that looks and marks in two steps lets a burst through', async () => {
  const burst = 5;
  // Signatures verify on other threads, so requests arrive one by one: nobody marks before all have looked.
  let looked = 0;
  const { promise: all, resolve } = withResolvers();
  const { register } = service({
    claimAssertion: async (replays, key, expires) => {
      const known = replays.has(key);
      looked += 1;
      if (looked === burst) resolve();
      await all;
      replays.set(key, expires);
      return !known;
    },
  });
  const token = await mint();
  const answers = await Promise.all(Array.from({ length: burst }, () => register(token)));
  expect(answers.map(({ status }) => status)).toEqual(Array(burst).fill(200));
});

test('an expiry that is asked for by one rule is given up by replacing it', async () => {
  const { register } = service({ checkExpiry: () => undefined });
  expect((await register(await mint({ exp: undefined }))).status).toBe(200);
  expect((await register(await mint({ exp: now - 3600 }))).status).toBe(200);
});
