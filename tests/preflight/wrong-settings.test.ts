/** One wrong setting ends a run with status 3 and a sentence that names its key, before any check. */

import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { conformHere, runAgainst, temporaryFile, temporaryFolder } from '../lib/conform.ts';
import { alteredReference } from './altered-reference.ts';
import { expectStopped } from './stopped.ts';

const reference = alteredReference();
const { only } = reference;

describe('a run ends before it begins', () => {
  test('for a wrong client secret', () =>
    expectStopped(
      only('shipping', { clientSecret: 'not-the-secret-of-this-client' }),
      /the target refuses `shipping.clientId`\/`clientSecret`: 401 invalid_client.*not thereby conformant/,
    ));

  test('for a wrong second client', () =>
    expectStopped(
      only('shipping', { secondClient: { clientId: 'nobody-at-all', clientSecret: 'not-a-secret-either' } }),
      /the target refuses `shipping.secondClient`: 401 invalid_client/,
    ));

  test('for an address that ends with what the suite adds', () =>
    expectStopped(
      only('shipping', { baseUrl: `${reference.url}/shipping/api/v1` }),
      new RegExp(`below ${reference.url}/shipping there is an API .*: set \`shipping.baseUrl\` to that`),
    ));

  test('for a port where nothing listens', async () => {
    const port = await freePort();
    await expectStopped(
      only('shipping', { baseUrl: `http://127.0.0.1:${port}` }),
      /`shipping.baseUrl` http:.*: no answer: connection refused/,
    );
  });

  test('for TLS at a port that speaks plain HTTP', () =>
    expectStopped(
      only('shipping', { baseUrl: `${reference.url.replace('http:', 'https:')}/shipping` }),
      /`shipping.baseUrl` https:.*the port does not speak TLS/,
    ));

  test('for a mistyped enterprise', () =>
    expectStopped(
      only('caches', { enterprise: 'acme-enterprize' }),
      /the target knows no enterprise `acme-enterprize`.*look at `caches.enterprise`/,
      80,
    ));

  test('for a mistyped organization', () =>
    expectStopped(
      only('caches', { organization: 'Acme-Appz' }),
      /`caches.repository` Acme-Apps\/Payments does not belong to `caches.organization` Acme-Appz: look at both/,
      80,
    ));

  test('for a token that was never issued', () =>
    expectStopped(
      only('caches', { token: 'classic-nobody-ever' }),
      /the target refuses `caches.token`: 401/,
      80,
    ));

  test('for a version of the API that there is not', () =>
    expectStopped(
      only('caches', { version: '2020-01-01' }),
      /with `caches.version` 2020-01-01 reading .* is answered with 400 .*, and with 2026-03-10, .* with 200/,
    ));

  test('for an unseed hook that does not exist at its URL', () => {
    const { hooks, ...rest } = only('caches', {});
    const unseed = { url: `${reference.url}/hooks/unseeds` };
    return expectStopped(
      { ...rest, hooks: { ...hooks, unseed } },
      /`hooks.unseed` does not work: hook unseed answered 404/,
      90,
    );
  });

  test('for one of several tokens that was never issued', () =>
    expectStopped(
      only('caches', { tokens: [{ token: 'never-issued-to-anyone', scopes: ['repo'] }] }),
      /the target refuses `caches.tokens\[0\]` \(repo\) as no token at all: 401/,
      80,
    ));

  test('for a hook that does not exist at its URL', () =>
    expectStopped(
      { ...only('shipping', {}), hooks: { clock: { url: `${reference.url}/hooks/clocks` } } },
      /`hooks.clock` does not work: hook clock answered 404/,
    ));

  test.each([
    [
      'does not move the clock',
      '2026-03-10T12:00:00.000Z',
      /: it said .* after it was told to advance by 10 s/,
    ],
    ['says `now`: "tomorrow"', 'tomorrow', /, which is no time/],
  ])('for a clock hook that %s', (sentence, now, rest) =>
    withHook(
      () => ({ now }),
      (url) =>
        expectStopped(
          { ...only('shipping', {}), hooks: { clock: { url } } },
          new RegExp(`\`hooks.clock\` ${sentence}${rest.source}`),
        ),
    ),
  );

  test('for a seed hook that makes nothing', () =>
    withHook(
      ({ caches }) => ({ caches: (caches as unknown[]).map((_, i) => ({ id: 990_000 + i })) }),
      (url) =>
        expectStopped(
          { ...only('caches', {}), hooks: { seed: { url } } },
          /`hooks.seed` says that it made the cache 990000 in .*the API knows no such cache/,
          90,
        ),
    ));

  test.each([
    [
      { otherRepository: 'acme-apps/PAYMENTS' },
      /`caches.otherRepository` and `caches.repository` are the same/,
    ],
    [
      { namesakeRepository: 'Acme-Tools/Other' },
      /`caches.namesakeRepository` Acme-Tools\/Other has another name/,
    ],
    [{ strangerToken: 'classic-full' }, /`caches.strangerToken` and `caches.token` are the same: checks/],
    [
      { publicRepository: 'Acme-Apps/Payments', privateRepository: 'Acme-Apps/Web-Shop' },
      /`caches.publicRepository` and `caches.privateRepository` seem to be mixed up/,
    ],
  ])('for settings that contradict each other: %o', async (wrong, sentence) => {
    await expectStopped(only('caches', wrong), sentence, 80);
  });

  test('for an issuer that the target does not trust, with the claims and without the signature', async () => {
    const stdout = await expectStopped(
      only('agents', { issuer: 'https://another-idp.example' }),
      /the assertion's `iss` was https:\/\/another-idp.example; the target says: 401 issuer_not_enabled.*set `agents.issuer`/,
    );
    expect(stdout).toMatch(/claims \{"iss":"https:\/\/another-idp.example","sub":.*"jti":/);
    expect(stdout).not.toMatch(/eyJ\S+\.eyJ/);
  });

  test('for an audience that the target does not expect', () =>
    expectStopped(
      only('agents', { audience: 'https://another-api.example' }),
      /the assertion's `aud` was https:\/\/another-api.example; the target says: 401 audience_mismatch.*`agents.audience`/,
    ));

  test('for a scope that the target does not offer', () =>
    expectStopped(
      only('agents', { scope: 'service:globe' }),
      /`agents.scope` is service:globe, and the metadata offers service:global/,
    ));

  test('for another key', async () => {
    const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
    await expectStopped(
      only('agents', { key }),
      /the target does not know `agents.key` as a key of the issuer .*: 401 invalid_signature/,
    );
  });
});

test('a carrier that the target does not know, while it knows another, is a wrong setting', async () => {
  const { code, stdout, report } = await runAgainst(only('shipping', { carriers: ['no-such', 'dhl'] }), [
    '--grep',
    'ADDR-VERIFY-STATUS',
  ]);
  expect(code).toBe(3);
  expect(report.totals).toMatchObject({ failed: 0 });
  expect(stdout).toMatch(/verify by no-such is answered with 422, and verify by dhl is accepted: look at/);
});

test.each([
  ['ADDR-AUTH-VERIFY-NO-TOKEN', 'no-such'],
  ['ADDR-VERIFY-AT-ONCE', 'fedex', 'no-such'],
])('what a wrong carrier blocks names the setting: %s', async (grep, ...carriers) => {
  const { code, report } = await runAgainst(only('shipping', { carriers }), ['--grep', grep]);
  expect(code).toBe(3);
  const blocked = report.checks.filter(({ verdict }) => verdict === 'blocked');
  expect(blocked.map(({ reason }) => reason).join()).toMatch(
    /look whether the target knows all of .*carriers/,
  );
});

test('what the preflight registers is not registered once more', async () => {
  const attempts = async (...flags: string[]) => {
    const args = ['--grep', 'AGENT-REG-STATUS', ...flags];
    const { stdout } = await runAgainst(only('agents', {}), args, {
      env: { XDG_STATE_HOME: temporaryFolder() },
    });
    expect(stdout).toMatch(/10 of 10 requirements chosen .* exercised, 10 hold/);
    expect(stdout).not.toMatch(/goes on/);
    return / (\d+) registration attempts, /.exec(stdout)?.[1];
  };
  expect(await attempts()).toBe(await attempts('--no-preflight'));
});

test('--no-preflight leaves it out', async () => {
  const { stdout, report } = await runAgainst(
    only('shipping', { clientSecret: 'not-the-secret-of-this-client' }),
    ['--no-preflight', '--grep', 'TOKEN-ISSUE-STATUS'],
  );
  expect(stdout).not.toMatch(/nothing was judged/);
  expect(report.checks.length).toBeGreaterThan(0);
});

test('conform is quiet about settings that are right', async () => {
  const config = temporaryFile('targets.yaml', JSON.stringify({ targets: { mine: only('shipping', {}) } }));
  const { stdout } = await conformHere(
    ['run', '--config', config, '--out', temporaryFolder(), '--grep', 'TOKEN-ISSUE-STATUS'],
    {},
  );
  expect(stdout).not.toMatch(/preflight/);
});

/** Returns a port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Serves a hook while something is done with its URL. */
async function withHook(
  answer: (input: Record<string, unknown>) => unknown,
  work: (url: string) => Promise<unknown>,
): Promise<void> {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer(JSON.parse(text) as Record<string, unknown>)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
