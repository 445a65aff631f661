/** `conform doctor` and `conform run --dry-run`: what they try and send, and what a run would exercise. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Embedded, startEmbedded } from '../../lib/run/embedded.ts';
import { conformHere, temporaryFile, temporaryFolder } from '../lib/conform.ts';

let reference: Embedded;
let server: Server;
let requests = 0;
let url = '';

beforeAll(async () => {
  reference = await startEmbedded({ name: 'reference', embedded: true, hooks: {} });
  server = createServer((_, response) => {
    requests += 1;
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  requests = 0;
});

afterAll(async () => {
  await reference.close();
  server.close();
});

const file = (target: object) => temporaryFile('targets.yaml', JSON.stringify({ targets: { mine: target } }));

test('doctor has a line for each setting, and ranks what is missing', async () => {
  const { shipping, hooks } = reference.target;
  const { secondClient: _, ...without } = shipping as Record<string, unknown>;
  const config = file({ shipping: without, hooks: { clock: hooks.clock } });
  const { code, stdout } = await conformHere(['doctor', '--config', config], {
    env: { XDG_STATE_HOME: temporaryFolder() },
  });
  expect(stdout).toMatch(/✓ `hooks.clock` says /);
  expect(stdout).toMatch(/✓ `shipping.baseUrl`, `clientId` and `clientSecret`: a token was issued/);
  expect(stdout).toMatch(/✓ `shipping.redirectUri`/);
  expect(stdout).toMatch(/a run would exercise about \d+ of \d+ requirements of address-book, oauth-token/);
  expect(stdout).toMatch(/^ {2}`shipping.secondClient`: \d+ more$/m);
  expect(stdout).not.toMatch(/hooks.clock`: /);
  expect(code).toBe(0);
});

test('doctor ends with 3 where the target refuses access', async () => {
  const config = file({
    shipping: { baseUrl: url, clientId: 'a-client-of-ours', clientSecret: 'its-secret-here' },
  });
  const { code, stdout } = await conformHere(['doctor', '--config', config]);
  expect(stdout).toMatch(/✗ `shipping.baseUrl` .*: everything below it is answered with 404/);
  expect(code).toBe(3);
  expect(requests).toBeLessThanOrEqual(8);
});

test('a dry run sends nothing, and says what a run would send, skip and need', async () => {
  const config = file({
    shipping: { baseUrl: url, clientId: 'a-client-of-ours', clientSecret: 'its-secret-here' },
    caches: { baseUrl: url, token: 'a-token-of-ours', organization: 'octo' },
    run: { effects: ['read'] },
  });
  const { code, stdout } = await conformHere(['run', '--dry-run', '--config', config]);
  expect(code).toBe(0);
  expect(requests).toBe(0);
  expect(stdout).toMatch(/^ {2}oauth-token +\d+ \(\d+ read\), \d+ skipped$/m);
  expect(stdout).toMatch(/^ {2}shipping: POST \/api\/v1\/oauth\/token +\d+ read$/m);
  expect(stdout).not.toMatch(/hook seed/);
  expect(stdout).toMatch(/`--effects write`.*: \d+ more/);
  expect(stdout).toMatch(/duration {2}[\d,]+ requests: at least \d+ (s|min) at the rate of the target/);
});

test('a dry run takes the requests of the preflight off a budget, unless there is none', async () => {
  const shipping = { baseUrl: url, clientId: 'a-client-of-ours', clientSecret: 'its-secret-here' };
  const budget = async (...flags: string[]) => {
    const args = ['run', '--dry-run', '--budget', '60', '--config', file({ shipping }), ...flags];
    const { stdout } = await conformHere(args);
    const [, paid] = /pays for (\d+) of/.exec(stdout) ?? [];
    const [, first] = /before the checks: preflight +up to about (\d+)$/m.exec(stdout) ?? [];
    return { paid: Number(paid), first: Number(first ?? 0) };
  };
  const [withIt, without] = [await budget(), await budget('--no-preflight')];
  expect(withIt.first).toBeGreaterThan(10);
  expect(without.first).toBe(0);
  expect(withIt.paid).toBeLessThan(without.paid);
  expect(requests).toBe(0);
});

test('keys that are absent because a variable is not set are reported', async () => {
  const config = file({
    shipping: {
      baseUrl: url,
      clientId: 'me',
      clientSecret: 'its-secret-here',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the file
      refreshToken: '${CONFORM_TEST_UNSET:-}',
    },
  });
  const { stdout } = await conformHere(['run', '--dry-run', '--config', config], {
    env: { CONFORM_TEST_UNSET: undefined },
  });
  expect(stdout).toMatch(/`shipping.refreshToken` is left out: CONFORM_TEST_UNSET is not set/);
});
