/** Targets whose fault looks like a wrong setting: they pass nothing, and where something tells they are judged. */
import { expect, onTestFinished, test } from 'vitest';
import type { TargetConfig } from '../../lib/config/types.ts';
import { caseNamed, serveCase } from '../../lib/prove/serve-case.ts';
import { type Reported, runAgainst, temporaryFolder } from '../lib/conform.ts';

const run = (config: TargetConfig, grep: string, flags: string[] = []): Promise<Reported> =>
  runAgainst(config, ['--grep', grep, ...flags], { env: { XDG_STATE_HOME: temporaryFolder() } });

const TOKENS = [
  { token: 'classic-only-repo', scopes: ['repo'] },
  { token: 'classic-only-read-org', scopes: ['read:org'] },
];

test.each([
  ['shipping/redirect-uri-refused', 3],
  ['shipping/redirect-uri-of-first-client', 1],
])('%s does not become a pass, and is judged without a preflight', async (id, withPreflight) => {
  const { target: served, close } = await serveCase(await caseNamed(id), 'served');
  onTestFinished(close);
  const { shipping, hooks } = served;
  const config = { shipping, hooks: { clock: hooks.clock } } as TargetConfig;
  expect((await run(config, 'TOKEN-REDIRECT*')).code).toBe(withPreflight);
  const judged = await run(config, 'TOKEN-REDIRECT*', ['--no-preflight']);
  expect(judged.code).toBe(1);
  expect(judged.report.requirements.find((each) => each.id === 'TOKEN-REDIRECT-URI-STORED')?.verdict).toBe(
    'failed',
  );
});

test.each(['caches/list-any-scope', 'caches/org-usage-any-scope'])(
  '%s: a target that lets a scope do too much is judged, with these tokens',
  async (id) => {
    const { target: served, close } = await serveCase(await caseNamed(id), 'served');
    onTestFinished(close);
    const { caches, hooks } = served;
    const { code, stdout } = await run(
      { caches: { ...caches, tokens: TOKENS }, hooks } as TargetConfig,
      'CACHE-PERM-*',
    );
    expect(stdout).not.toMatch(/^preflight/m);
    expect(code).toBe(1);
  },
);
