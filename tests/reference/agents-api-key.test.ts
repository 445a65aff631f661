/** What the key of a registration gives access to at the agent reference; replaced rules. */
import { describe, expect, test } from 'vitest';
import { agentRules } from '../../reference/agents/index.ts';
import { mint, service } from './agents-idp.ts';

describe('the API key', () => {
  test('accepts the key in the header, whatever the case of the scheme', async () => {
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

  test('accepts it nowhere else and accepts nothing else', async () => {
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
