/** What the configuration of a target can set: keys, hooks, clocks, users. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JWK } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { makeTrust, manualClock, type Trust } from '../../reference/index.ts';
import type { JsonObject } from '../../services/agents/idp/compact.ts';
import { keySigner } from '../../services/agents/idp/signer.ts';
import { type Ran, registrations, run, serve } from './run.ts';

const HOUR_MS = 3_600_000;

/** Asserts that nothing is violated and nothing is left undecided. */
function expectClean(ran: Ran): void {
  for (const verdict of ['failed', 'blocked', 'errored', 'warned'] as const) {
    expect(ran.having(verdict).map((id) => `${id}: ${ran.of(id).reason}`)).toEqual([]);
  }
}

/**
 * Serves a mint hook over HTTP that signs with the key of an issuer; returns its address.
 * @param refuses by the header, whether the hook refuses to sign
 */
async function mintHook(
  trust: Trust,
  refuses: (header: JsonObject) => boolean = () => false,
): Promise<string> {
  const signer = keySigner(trust.key);
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { header, claims } = JSON.parse(text) as { header: JsonObject; claims: JsonObject };
    if (refuses(header)) return response.writeHead(422).end();
    const token = await signer.sign({ ...header, kid: trust.key.kid }, claims);
    return response.end(JSON.stringify({ token }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mint`;
}

test('with the mint hook alone, only checks that need the public key are skipped', async () => {
  const target = await serve();
  const { key: _, ...agents } = target.agents;
  const ran = await run({ agents, hooks: { mint: { url: await mintHook(target.trust) } } });
  expectClean(ran);
  expect(ran.of('AGENT-REG-STATUS').verdict).toBe('passed');
  expect(ran.of('AGENT-ALG-RS512').verdict).toBe('passed');
  expect(ran.of('AGENT-SIG-OTHER-KEY').verdict).toBe('passed');
  const skipped = ran.having('skipped').filter((id) => ran.of(id).reason?.includes('public key'));
  expect(skipped.filter((id) => !id.includes('/'))).toEqual(['AGENT-ALG-HS256-PEM', 'AGENT-ALG-HS256-JWK']);
  expect(registrations(target.received).length).toBeLessThanOrEqual(60);
});

test('what a hook refuses to sign is skipped, with that reason', async () => {
  const target = await serve();
  const { key: _, ...agents } = target.agents;
  const mint = { url: await mintHook(target.trust, ({ alg }) => alg !== 'RS256') };
  const ran = await run({ agents, hooks: { mint } }, { prefixes: ['AGENT-ALG-'] });
  expectClean(ran);
  for (const alg of ['RS384', 'RS512', 'PS256'])
    expect(ran.of(`AGENT-ALG-${alg}`).reason).toContain('hook mint');
  expect(ran.of('AGENT-ALG-NONE').verdict).toBe('passed');
  expect(ran.of('AGENT-ALG-ES256').verdict).toBe('passed');
});

test('without a key, what needs no valid assertion still runs, and the rest names the keys to set', async () => {
  const target = await serve();
  const { key: _, ...agents } = target.agents;
  const ran = await run({ agents });
  expectClean(ran);
  const passed = ran.having('passed');
  for (const id of [
    'AGENT-PRM-STATUS',
    'AGENT-ASM-REGISTER-URI-LEADS',
    'AGENT-REQ-MALFORMED-JSON',
    'AGENT-ASSERTION-GARBAGE',
    'AGENT-KEY-UNKNOWN',
  ]) {
    expect(passed).toContain(id);
  }
  expect(ran.of('AGENT-REG-STATUS').reason).toBe(
    'needs a valid assertion: set `targets.tested.agents.key` or `targets.tested.hooks.mint`',
  );
  expect(registrations(target.received).some(({ body }) => body.includes('eyJ'))).toBe(false);
});

test('without an issuer the key alone is not enough', async () => {
  const target = await serve();
  const { issuer: _, ...agents } = target.agents;
  const ran = await run({ agents }, { prefixes: ['AGENT-REG-STATUS'] });
  expect(ran.of('AGENT-REG-STATUS').reason).toBe(
    'needs a valid assertion: set `targets.tested.agents.issuer`',
  );
});

test('assertions use a clock that earlier runs have moved', async () => {
  const clock = manualClock(Date.now() + 400 * 24 * HOUR_MS);
  const target = await serve({ options: { clock } });
  const ran = await run({ agents: target.agents, hooks: { clock: { url: `${target.url}/hooks/clock` } } });
  expectClean(ran);
  expect(ran.of('AGENT-REG-STATUS').verdict).toBe('passed');
  expect(ran.of('AGENT-KEY-NEVER-EXPIRES').verdict).toBe('passed');
});

test.each([-HOUR_MS, HOUR_MS])(
  'without a hook they use the Date of the target (%i ms off)',
  async (skewMs) => {
    const clock = { now: () => Date.now() + skewMs, advance: () => {} };
    const target = await serve({
      options: { clock },
      filter: (next) => async (request) => {
        const answer = await next(request);
        const headers = new Headers(answer.headers);
        headers.set('date', new Date(clock.now()).toUTCString());
        return new Response(await answer.text(), { status: answer.status, headers });
      },
    });
    const ran = await run(
      { agents: target.agents },
      { prefixes: ['AGENT-REG-', 'AGENT-EXP-', 'AGENT-ERR-CREDENTIAL'] },
    );
    expectClean(ran);
    expect(ran.of('AGENT-EXP-STILL-VALID').verdict).toBe('passed');
    expect(ran.of('AGENT-EXP-PAST-TEN-MINUTES').verdict).toBe('passed');
  },
);

test('the key set is served while the suite runs, and no longer', async () => {
  const trust = await makeTrust();
  // A port that was free a moment ago.
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const keysUrl = `http://127.0.0.1:${port}/jwks.json`;
  let fetched: { keys: JWK[] } | undefined;
  const target = await serve({
    trust,
    filter: (next) => async (request) => {
      if (request.method === 'POST') fetched ??= (await (await fetch(keysUrl)).json()) as { keys: JWK[] };
      return next(request);
    },
  });
  const ran = await run({ agents: { ...target.agents, jwksPort: port } }, { prefixes: ['AGENT-REG-STATUS'] });
  expect(ran.of('AGENT-REG-STATUS').verdict).toBe('passed');
  const [own, ...further] = fetched?.keys ?? [];
  expect(own).toEqual(trust.jwks.keys[0]);
  expect(further.map(({ kty, alg, use }) => ({ kty, alg, use }))).toEqual([
    { kty: 'RSA', alg: undefined, use: 'sig' },
    { kty: 'EC', alg: undefined, use: 'sig' },
  ]);
  expect(JSON.stringify(fetched)).not.toContain('"d"');
  await expect(fetch(keysUrl)).rejects.toThrow();
});

test('a fixed user is the only one that is asserted', async () => {
  const target = await serve();
  const user = { sub: 'known-user', email: 'known-user@example.com' };
  const ran = await run({ agents: { ...target.agents, user } });
  expectClean(ran);
  expect(ran.of('AGENT-USERS-TWO-IDS').reason).toContain('targets.tested.agents.user');
  const subjects = registrations(target.received).flatMap(({ body }) => {
    const token = /"assertion":"[^".]+\.([^".]+)\./.exec(body)?.[1];
    const claims = token === undefined ? '' : Buffer.from(token, 'base64url').toString();
    return /"sub":"([^"]+)"/.exec(claims)?.[1] ?? [];
  });
  expect(new Set(subjects)).toEqual(new Set(['known-user']));
});

test.for([
  ['whose users are new each time', {}],
  ['whose users are new each time, with all attempts', { maxAttempts: 400 }],
  [
    'whose user is the same, with all attempts',
    { maxAttempts: 400, user: { sub: 'known-user', email: 'known-user@example.com' } },
  ],
] as const)('two runs %s, one after the other, do not disturb each other', async ([, settings]) => {
  const target = await serve();
  const agents = { ...target.agents, ...settings };
  expectClean(await run({ agents }));
  expectClean(await run({ agents }));
});
