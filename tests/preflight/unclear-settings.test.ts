/**
 * Settings that look like faults of the target: where a request tells which, the run ends before it begins;
 * where none does, the checks that need the setting are blocked. Neither is a pass, nor told as a fault.
 */
import { expect, test } from 'vitest';
import type { TargetConfig } from '../../lib/config/types.ts';
import { type Reported, runAgainst, temporaryFolder } from '../lib/conform.ts';
import { alteredReference, type Part } from './altered-reference.ts';
import { expectBlocked, expectStopped } from './stopped.ts';

const reference = alteredReference();
const { only } = reference;

type Token = { token: string; scopes?: string[]; permissions?: string[] };

const run = (config: TargetConfig, grep: string): Promise<Reported> =>
  runAgainst(config, ['--grep', grep], { env: { XDG_STATE_HOME: temporaryFolder() } });

const secondClient = () =>
  (reference.target.shipping as { secondClient: Part & { redirectUri: string } }).secondClient;
const stored = () => (reference.target.shipping as { redirectUri: string }).redirectUri;

test('a redirect URI that the target refuses blocks the checks that need it', async () => {
  const done = await run(
    only('shipping', { redirectUri: 'https://one.client.example/callbak' }),
    'TOKEN-RE*',
  );
  expectBlocked(
    done,
    /a token request with `shipping.redirectUri` .*callbak is answered with 400.*set `shipping.redirectUri` to the URI that is stored/,
  );
});

test('a redirect URI with a slash too many is told with the one that is accepted', async () => {
  const done = await run(only('shipping', { redirectUri: `${stored()}/` }), 'TOKEN-REDIRECT*');
  expect(done.code).toBe(3);
  expect(done.stdout).toContain(
    `and with ${stored()}, too: if that is the one stored for the client, set \`shipping.redirectUri\` to it`,
  );
});

test('swapped redirect URIs are told as that', async () => {
  const swapped = {
    redirectUri: secondClient().redirectUri,
    secondClient: { ...secondClient(), redirectUri: stored() },
  };
  const done = await run(only('shipping', swapped), 'TOKEN-REDIRECT*');
  expect(done.code).toBe(3);
  expect(done.report.totals.failed).toBe(0);
  for (const key of ['redirectUri', 'secondClient.redirectUri'])
    expect(done.stdout).toMatch(new RegExp(`if that is the one .*, set \`shipping.${key}\` to it`));
});

test('a clock hook that says nothing, and that nothing shows to work, blocks what depends on it', async () => {
  const clock = { command: [process.execPath, '-e', ''] };
  expectBlocked(
    await run({ ...only('shipping', {}), hooks: { clock } }, 'TOKEN-*EXPIR*'),
    /(.*: )?`hooks.clock` does not say the time, and the `Date` .* did not move/,
  );
});

const TOKENS: Token[] = [
  { token: 'classic-only-repo', scopes: ['repo'] },
  { token: 'classic-only-read-org', scopes: ['read:org'] },
];

test.each<[string, Token[], RegExp]>([
  [
    'swapped tokens',
    [
      { ...TOKENS[0]!, token: TOKENS[1]!.token },
      { ...TOKENS[1]!, token: TOKENS[0]!.token },
    ],
    /`caches.tokens\[\d\]` is said to have (repo|read:org), and is .*served .*refused .*|`caches.tokens\[\d\]` is said to have .*refused .*served/,
  ],
  [
    'a token without a scope that it is said to have',
    [TOKENS[0]!, { token: 'classic-none', scopes: ['read:org'] }],
    /`caches.tokens\[1\]` is said to have read:org, and is refused organization-usage and usage-by-repository/,
  ],
  [
    'a token with a scope that it is not said to have',
    [{ token: 'classic-without-read-org', scopes: ['repo'] }, TOKENS[1]!],
    /`caches.tokens\[0\]` is said to have repo, and is served .* look at its scopes/,
  ],
])('%s: the checks with them are blocked', async (_, tokens, reason) => {
  expectBlocked(await run(only('caches', { tokens }), 'CACHE-PERM-*'), reason);
});

test.each<[string, Token[], RegExp]>([
  [
    'the full token as one that lacks something',
    [{ token: 'classic-full', scopes: ['repo'] }],
    /`caches.tokens\[0\]` is `caches.token`, which has every permission/,
  ],
  [
    'one token twice',
    [TOKENS[0]!, { ...TOKENS[1]!, token: TOKENS[0]!.token }],
    /`caches.tokens\[1\]` and `caches.tokens\[0\]` are the same token/,
  ],
])('%s ends the run', async (_, tokens, sentence) => {
  await expectStopped(only('caches', { tokens }), sentence, 10);
});

test.each<[string, Part, RegExp]>([
  [
    'is open to anybody',
    { method: 'GET', path: '/.well-known/oauth-protected-resource' },
    /`agents.scrape` GET .*: without a key it is answered with 200, .*; POST \/v2\/scrape is answered with 401: leave `agents.scrape` out/,
  ],
  [
    'leads nowhere',
    { path: '/v2/scrap' },
    /a call with a key that .* issued a moment ago is answered with 404.*: look at `agents.scrape`/,
  ],
])('a scrape call that %s ends the run', async (_, scrape, sentence) => {
  await expectStopped(only('agents', { scrape }), sentence);
});

test('a base address of another API, beside the address of the registration, ends the run', () =>
  expectStopped(
    only('agents', { authUrl: `${reference.url}/agents`, baseUrl: `${reference.url}/shipping` }),
    /a call with a key that .* is answered with 404.*: look at `agents.baseUrl`/,
  ));

test('a base address with what the suite appends itself ends the run, beside the address of the registration', () =>
  expectStopped(
    only('agents', { authUrl: `${reference.url}/agents`, baseUrl: `${reference.url}/agents/v2` }),
    /a call with a key that .* is answered with 404.*; the suite adds `\/v2\/scrape` itself: look at `agents.baseUrl`/,
  ));

test.each([
  ['leads nowhere', '/nothing', /`shipping.protectedResource` GET \/nothing is answered with 404/],
  ['refuses the token', '/../agents/v2/scrape', /`shipping.protectedResource` GET .* is answered with 4/],
])('a protected resource that %s ends the run', async (_, path, sentence) => {
  await expectStopped(only('shipping', { protectedResource: { path } }), sentence);
});

const NO_OTHER_TOKENS: Part = { tokens: undefined, readerToken: undefined, strangerToken: undefined };

test.each<[string, Part, string, RegExp]>([
  [
    'a public repository that is private',
    { publicRepository: 'Acme-Apps/Ledger', otherRepository: undefined },
    'CACHE-ANON-*',
    /`caches.publicRepository` .* are refused without a token .*: look whether it is public/,
  ],
  [
    'a private repository that is public',
    { privateRepository: 'Acme-Apps/Web-Shop', publicRepository: undefined },
    'CACHE-AUTH-LIST-*',
    /`caches.privateRepository` .* are served without a token: look whether it is private/,
  ],
])(
  '%s is no fault of the target, where there are no other tokens to compare with',
  async (_, change, grep, reason) => {
    const config = only('caches', { ...NO_OTHER_TOKENS, ...change });
    expectBlocked(
      await runAgainst(config, ['--grep', grep, 'CACHE-REPO-STORAGE-GET-STATUS'], {
        env: { XDG_STATE_HOME: temporaryFolder() },
      }),
      reason,
    );
  },
);

test('of a token that lacks several permissions, a single read that it is refused is no fault either', async () => {
  const config = only('caches', { ...NO_OTHER_TOKENS, token: 'fine-only-repository-actions-read' });
  const done = await run(config, 'CACHE-REPO-*-STATUS');
  expect(done.code).toBe(3);
  expect(done.report.totals.failed).toBe(0);
  expect(done.stdout).toMatch(
    /preflight {2}the target refuses `caches.token` read-repository-retention, which/,
  );
});
