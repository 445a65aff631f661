/** Where some checks are chosen, the preflight tries the settings that these use: all of them, and no others. */
import { expect, test } from 'vitest';
import type { TargetConfig } from '../../lib/config/types.ts';
import { runAgainst, temporaryFolder } from '../lib/conform.ts';
import { alteredReference, type Part } from './altered-reference.ts';
import { expectBlocked } from './stopped.ts';

const reference = alteredReference();
const { only } = reference;

const run = (config: TargetConfig, ...grep: string[]) =>
  runAgainst(config, ['--effects', 'read,write,settings', '--grep', ...grep], {
    env: { XDG_STATE_HOME: temporaryFolder() },
  });

/** All services, with other settings of one of them. */
function withOther(service: 'shipping' | 'agents' | 'caches', change: Part): TargetConfig {
  const { hooks } = only('caches', {});
  return {
    ...only('shipping', {}),
    ...only('agents', {}),
    ...only('caches', {}),
    ...only(service, change),
    hooks,
  };
}

test.each<[string, Parameters<typeof withOther>, string]>([
  ['client', ['shipping', { clientSecret: 'not-the-secret-of-this-client' }], 'CACHE-LIST-STATUS'],
  ['token', ['caches', { token: 'classic-nobody-ever' }], 'TOKEN-ISSUE-STATUS'],
  ['enterprise', ['caches', { enterprise: 'acme-enterprize' }], 'CACHE-LIST-STATUS'],
  ['issuer', ['agents', { issuer: 'https://another-idp.example' }], 'AGENT-PRM-RESOURCE/at-once'],
])('a wrong %s that no chosen check uses stops no run', async (_, [service, change], grep) => {
  const { code, report } = await run(withOther(service, change), grep);
  expect(report.totals.failed).toBe(0);
  expect(report.totals.passed).toBeGreaterThan(0);
  expect(code).toBe(0);
});

/** More than 100 repositories that there are not. */
function manyUnknown(): string[] {
  return Array.from({ length: 104 }, (_, i) => `Acme-Apps/Fleeet-${i}`);
}

test.each<[string, Part, string]>([
  ['caches.otherRepository', { otherRepository: 'Acme-Apps/No-Such' }, 'CACHE-LIST-STATUS'],
  ['caches.otherOrganization', { otherOrganization: 'No-Such' }, 'CACHE-HIER-STORAGE-ORG-LOWER'],
  ['caches.namesakeRepository', { namesakeRepository: 'No-Such/Payments' }, 'CACHE-LIST-STATUS'],
  ['caches.repositories[0]', { repositories: manyUnknown() }, 'CACHE-BY-REPO-PER-PAGE-HUNDRED'],
  ['caches.publicRepository', { publicRepository: 'Acme-Apps/No-Such' }, 'CACHE-REPO-USAGE-FULL-NAME'],
])('%s is tried for checks that use it without being about it', async (key, change, grep) => {
  const { code, stdout, report } = await run(only('caches', change), grep);
  expect(code).toBe(3);
  expect(report.checks.map(({ id }) => id)).toEqual(['PREFLIGHT/1']);
  expect(stdout).toContain(`look at \`${key}\``);
});

test('a public repository that is none is no fault of the target, though no check with other tokens is chosen', async () => {
  const change = { publicRepository: 'Acme-Apps/Ledger', otherRepository: undefined };
  const done = await run(only('caches', change), 'CACHE-ANON-USAGE-PUBLIC', 'CACHE-ENT-RETENTION-GET-STATUS');
  expectBlocked(done, /`caches.publicRepository` .*, and to tokens that have no access to private ones/);
});

test('a clock hook that does not work is the only thing that is told', async () => {
  const whole = withOther('caches', {});
  const { stdout, report } = await run(
    { ...whole, hooks: { ...whole.hooks, clock: { url: `${reference.url}/none` } } },
    'CACHE-LIST-STATUS',
    'AGENT-REG-STATUS',
  );
  expect(report.checks.map(({ id }) => id)).toEqual(['PREFLIGHT/1']);
  expect(stdout).toMatch(/`hooks.clock` does not work: hook clock answered 404/);
  expect(stdout).not.toMatch(/credential_expired/);
});
