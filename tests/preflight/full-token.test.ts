/**
 * Tokens and repositories under `caches` that are other than the configuration says. Where that cannot be told from
 * a fault of the target, the checks that need them are blocked; where another token shows the fault, it is judged.
 */
import { expect, onTestFinished, test } from 'vitest';
import type { TargetConfig } from '../../lib/config/types.ts';
import { caseNamed, serveCase } from '../../lib/prove/serve-case.ts';
import { type Reported, runAgainst, temporaryFolder } from '../lib/conform.ts';
import { alteredReference, type Part } from './altered-reference.ts';
import { expectBlocked, expectStopped } from './stopped.ts';

const { only } = alteredReference();

const run = (config: TargetConfig, grep: string, flags: string[] = []): Promise<Reported> =>
  runAgainst(config, ['--grep', grep, ...flags], { env: { XDG_STATE_HOME: temporaryFolder() } });

const READS = 'CACHE-*-STATUS';

test.each([
  ['admin:enterprise', 'classic-without-admin-enterprise'],
  ['admin:organization', 'classic-without-admin-organization'],
  ['admin:repository', 'classic-without-admin-repository'],
  ['read:org', 'classic-without-read-org'],
])('a token without %s blocks what that opens', async (scope, token) => {
  for (const tokens of [undefined, [{ token: 'classic-full', scopes: [scope] }]])
    expectBlocked(
      await run(only('caches', { token, tokens }), READS),
      new RegExp(`the target refuses \`caches.token\` .* and .*, which \`${scope}\` .* opens`),
    );
});

test('a token without repo ends the run', () =>
  expectStopped(
    only('caches', { token: 'classic-without-repo', tokens: undefined }),
    /the target refuses `caches.token` repository-usage and list, which `repo` /,
    30,
  ));

test('the token of an account that may only read blocks deletions', async () => {
  const config = only('caches', { token: 'classic-reader', readerToken: undefined, tokens: undefined });
  const done = await run(config, READS);
  expectBlocked(done, /the target refuses `caches.token` /);
  expect(done.stdout).toMatch(/the target refuses `caches.token` the deletion of a cache, by key and by id/);
});

test('without an unseed hook a token that may not delete makes one cache, and no more', async () => {
  const config = only('caches', { token: 'classic-reader', readerToken: undefined, tokens: undefined });
  const { clock, seed } = config.hooks as Record<string, object>;
  const { code, report } = await run({ ...config, hooks: { clock, seed } } as TargetConfig, 'CACHE-DELETE-*');
  expect(code).toBe(3);
  expect(report.totals.failed).toBe(0);
  expect(report.leftovers?.join()).toMatch(/could not be removed: 403, and 1 of them are still there/);
});

test.each<[string, Part, RegExp]>([
  [
    'a public repository that is private',
    { publicRepository: 'Acme-Apps/Ledger', otherRepository: undefined },
    /`caches.publicRepository` Acme-Apps\/Ledger: list and usage are refused .*: look whether it is public/,
  ],
  [
    'a private repository that is public',
    { privateRepository: 'Acme-Apps/Web-Shop', publicRepository: undefined },
    /`caches.privateRepository` Acme-Apps\/Web-Shop: list and usage are served .*: look whether it is private/,
  ],
  [
    'an account that reads nothing as one that reads',
    { readerToken: 'classic-stranger', strangerToken: undefined },
    /`caches.readerToken` is refused list and usage .*: look whether its account may read that repository/,
  ],
])('%s blocks the checks about it', async (_, wrong, reason) => {
  expectBlocked(await run(only('caches', wrong), 'CACHE-PERM-*'), reason);
});

test('the refusal of a token that may not be one at all shows nothing', async () => {
  const config = only('caches', { strangerToken: 'never-issued', publicRepository: undefined });
  const { report } = await run(config, 'CACHE-PERM-*-STRANGER', ['--effects', 'read,write,settings']);
  expect(report.totals).toMatchObject({ passed: 0, failed: 0 });
  for (const { reason } of report.checks) expect(reason).toMatch(/so its refusal shows nothing/);
});

const FORBIDDEN =
  /the target refuses `caches.token` to set either limit of the repository .*, which `admin:repo/;

test.each([
  ['caches/settings-forbidden', 'refuses other tokens as well', true, [], 1],
  ['caches/settings-forbidden', 'refuses the only token', false, [], 3],
  ['caches/settings-forbidden', 'is judged as if every setting were right', false, ['--no-preflight'], 1],
  ['caches/settings-not-found', 'offers no settings', false, [], 1],
] as const)('%s, which %s', async (id, _, hasTokens, flags, status) => {
  const { target: served, close } = await serveCase(await caseNamed(id), 'served');
  onTestFinished(close);
  const { caches, hooks } = served;
  const config = { caches: { ...caches, ...(!hasTokens && { tokens: undefined }) }, hooks } as TargetConfig;
  const effects = ['--effects', 'read,write,settings'];
  const { code, report } = await run(config, 'CACHE-REPO-RETENTION-SET-STATUS*', [...effects, ...flags]);
  expect(code).toBe(status);
  if (status === 3) expect(report.checks.some(({ reason = '' }) => FORBIDDEN.test(reason))).toBe(true);
});
