import { CompactSign, importJWK } from 'jose';
import { afterEach, describe, expect, test } from 'vitest';
import { allCases } from '../../deviations/index.ts';
import { changeAnswers, headersOnWire, spellHeaders, withBody } from '../../deviations/kit/answers.ts';
import { lightRequest, useLightResponses } from '../../deviations/kit/light.ts';
import { originals } from '../../deviations/service.ts';
import { openTransport } from '../../deviations/transport.ts';
import { httpTransport, type Transport, type WireResponse } from '../../lib/http/transport.ts';
import { fieldRequirements } from '../../lib/prove/load.ts';
import { createReference, listen, makeTrust } from '../../reference/index.ts';
import { jsonResponse } from '../../reference/kit/response.ts';
import { FIRST_CLIENT } from '../../reference/shipping/index.ts';

const URL_OF_PROOF = 'http://reference.test';
const fields = fieldRequirements();

const open = (id: string): Promise<Transport> =>
  openTransport({ case: id, url: URL_OF_PROOF, fields, issuer: 'https://idp.test', jwks: { keys: [] } });

const credentials = new URLSearchParams({
  grant_type: 'client_credentials',
  client_id: FIRST_CLIENT.id,
  client_secret: FIRST_CLIENT.secret,
}).toString();

const form: [string, string][] = [['content-type', 'application/x-www-form-urlencoded']];

function send(
  transport: Transport,
  base: string,
  method: string,
  path: string,
  headers: [string, string][],
  body?: string,
) {
  return transport.send({ method, url: `${base}/shipping/api/v1/${path}`, headers, body, timeoutMs: 5_000 });
}

async function tokenFrom(transport: Transport, base = URL_OF_PROOF): Promise<string> {
  const { text } = await send(transport, base, 'POST', 'oauth/token', form, credentials);
  return (JSON.parse(text) as { access_token: string }).access_token;
}

const Platform = globalThis.Response;
// A proof replaces the platform's Response in its whole thread, so it has to be restored.
afterEach(() => {
  globalThis.Response = Platform;
});

test('cases are known by ids of their own', () => {
  const cases = allCases(fields);
  expect(cases.get('shipping/reference')?.facts.kind).toBe('reference');
  expect(cases.get('shipping/trivial/refused')?.facts.kind).toBe('trivial');
  const kinds = new Set([...cases.values()].map(({ facts }) => facts.kind));
  expect(kinds).toEqual(new Set(['reference', 'deviation', 'pair', 'variant', 'trivial']));
});

test('no such case', async () => {
  await expect(open('shipping/no-such-thing')).rejects.toThrow('there is no case shipping/no-such-thing');
});

test('answers in memory are those of a socket', async () => {
  const framing = ['connection', 'date', 'keep-alive', 'transfer-encoding', 'content-length'];
  const requests: [string, string, [string, string][], string?][] = [
    ['POST', 'oauth/token', form, credentials],
    ['POST', 'oauth/token', form, 'grant_type=client_credentials'],
    ['POST', 'oauth/token', [['content-type', 'text/plain']], 'ñ'],
    ['GET', 'address_templates?per_page=1', []],
    ['GET', 'address_templates/%C3%B1?x=%20', [['authorization', 'Bearer nothing']]],
    ['DELETE', 'nowhere', []],
  ];
  const shown = ({ status, headers, text }: WireResponse) => ({
    status,
    names: headers
      .map(([name]) => name.toLowerCase())
      .filter((name) => !framing.includes(name))
      .sort(),
    text: text.replaceAll(/"(access_token|refresh_token)":"[^"]+"|"created_at":\d+/g, ''),
  });
  const answers = async (transport: Transport, base: string) => {
    const all = [];
    for (const [method, path, headers, body] of requests) {
      all.push(shown(await send(transport, base, method, path, headers, body)));
    }
    return all;
  };
  const server = await listen(createReference({ publicUrl: '' }).handle);
  const wire = httpTransport();
  try {
    const there = await answers(wire, server.url);
    expect(await answers(await open('shipping/reference'), URL_OF_PROOF)).toEqual(there);
  } finally {
    await wire.close();
    await server.close();
  }
});

test('every opening is a fresh server', async () => {
  const [one, two] = [await open('shipping/reference'), await open('shipping/reference')];
  const token = await tokenFrom(one);
  const list = (transport: Transport) =>
    send(transport, URL_OF_PROOF, 'GET', 'address_templates', [['authorization', `Bearer ${token}`]]);
  expect([(await list(one)).status, (await list(two)).status]).toEqual([200, 401]);
});

test('the clock is moved without a request, and tokens age by it', async () => {
  const transport = await open('shipping/reference');
  const token = await tokenFrom(transport);
  const before = transport.moveClock!(0);
  expect(transport.moveClock!(7_300) - before).toBeGreaterThanOrEqual(7_300_000);
  const { status } = await send(transport, URL_OF_PROOF, 'GET', 'address_templates', [
    ['authorization', `Bearer ${token}`],
  ]);
  expect(status).toBe(401);
});

describe('servers with a peculiarity', () => {
  test('a slow one tells what passed, also where requests are sent at once', async () => {
    const transport = await open('shipping/variants/slow-by-a-second');
    const single = await send(transport, URL_OF_PROOF, 'POST', 'oauth/token', form, credentials);
    expect(single.simulatedMs).toBe(1_000);
    const several = await Promise.all(
      Array.from({ length: 12 }, () =>
        send(transport, URL_OF_PROOF, 'POST', 'oauth/token', form, credentials),
      ),
    );
    expect(several.reduce((sum, { simulatedMs = 0 }) => sum + simulatedMs, 0)).toBe(12_000);
  });

  test.each([
    ['hang', 'no complete answer within'],
    ['reset', 'connection closed'],
    ['refused', 'connection refused'],
  ])('%s fails like the wire does', async (id, message) => {
    const transport = await open(`shipping/trivial/${id}`);
    await expect(send(transport, URL_OF_PROOF, 'GET', 'address_templates', [])).rejects.toThrow(message);
  });

  test('one that spells its headers in capitals', async () => {
    const { headers } = await send(
      await open('shipping/variants/header-names-in-capitals'),
      URL_OF_PROOF,
      'GET',
      'address_templates',
      [],
    );
    expect(headers.map(([name]) => name)).toContain('WWW-AUTHENTICATE');
  });
});

describe('requests and answers in memory', () => {
  test('behave like the platform’s where the reference uses them', async () => {
    useLightResponses();
    const made: [ConstructorParameters<typeof Response>[0], ResponseInit][] = [
      ['text', {}],
      [null, { status: 204 }],
      [Buffer.from('ñ'), { status: 201, headers: { 'X-One': ' 1 ', location: '/here' } }],
    ];
    for (const [body, init] of made) {
      const [light, real] = [new Response(body, init), new Platform(body, init)];
      expect([
        light.status,
        light.ok,
        [...light.headers],
        await light.clone().text(),
        await light.text(),
      ]).toEqual([real.status, real.ok, [...real.headers], await real.clone().text(), await real.text()]);
      await expect(light.text()).rejects.toThrow(TypeError);
    }
    expect(() => new Response('no', { status: 204 })).toThrow(TypeError);
    const json = Response.json({ a: 1 }, { status: 202 });
    expect([json.status, json.headers.get('Content-Type'), await json.json()]).toEqual([
      202,
      'application/json',
      { a: 1 },
    ]);
    const request = lightRequest(
      'http://a.test/x',
      'PATCH',
      [
        ['A', '1'],
        ['a', '2'],
      ],
      '{}',
    );
    expect([
      request.method,
      request.headers.get('a'),
      await request.clone().json(),
      await request.text(),
    ]).toEqual(['PATCH', '1, 2', {}, '{}']);
  });

  test('filters leave the request readable and the rest of the answer alone', async () => {
    const filter = changeAnswers(
      ({ text }) => text === 'yes',
      async (response) => spellHeaders(await withBody(response, () => 'changed'), [['X-Y', 'z']]),
    );
    const handle = filter(async (request) => Response.json(await request.text()));
    const post = (body: string) => handle(new Request('http://a.test/', { method: 'POST', body }));
    const changed = await post('yes');
    expect([await changed.json(), headersOnWire(changed)]).toEqual(['changed', [['X-Y', 'z']]]);
    expect(await (await post('no')).json()).toBe('no');
  });
});

test('one assertion is verified once with the same keys, and each who asks gets claims of its own', async () => {
  const trust = await makeTrust();
  const claims = { sub: 'a', exp: 1 };
  const assertion = await new CompactSign(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'RS256', kid: trust.key.kid as string })
    .sign(await importJWK(trust.key, 'RS256'));
  const { verifySignature } = originals.agents;
  const first = await verifySignature(assertion, trust.jwks, ['RS256']);
  first.sub = 'b';
  expect(await verifySignature(assertion, trust.jwks, ['RS256'])).toEqual(claims);
  await expect(verifySignature(assertion, trust.jwks, ['ES256'])).rejects.toThrow();
  await expect(verifySignature(assertion, (await makeTrust()).jwks, ['RS256'])).rejects.toThrow();
  const altered = `${assertion.slice(0, -8)}AAAAAAAA`;
  await expect(verifySignature(altered, trust.jwks, ['RS256'])).rejects.toThrow();
});

test('what the reference answers in the proof is of the proof’s kind, and the socket’s kind otherwise', async () => {
  const asked = { status: 201, headers: { 'x-one': '1' } };
  const socket = jsonResponse({ a: 1 }, asked);
  useLightResponses();
  const light = jsonResponse({ a: 1 }, asked);
  expect(socket).toBeInstanceOf(Platform);
  expect(light).not.toBeInstanceOf(Platform);
  const shown = async (response: Response) => [response.status, [...response.headers], await response.text()];
  expect(await shown(light)).toEqual(await shown(socket));
  expect(() => jsonResponse(undefined)).toThrow(TypeError);
  expect(() => jsonResponse({}, { status: 204 })).toThrow(TypeError);
});
