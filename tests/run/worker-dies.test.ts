/**
 * The thread that runs the checks can die, for example for
 * lack of memory. The run then still ends, and says so.
 */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ResolvedTarget } from '../../lib/config/types.ts';
import { packageRoot } from '../../lib/model/paths.ts';
import { runOptions } from '../lib/run-options.ts';

/** Loads a module of the build, since sources are not run in a thread of their own. */
const built = (path: string) => import(/* @vite-ignore */ join(packageRoot(), 'dist', 'lib', 'run', path));

test('a worker that dies leaves the run undecided, with a report', async () => {
  const { Runner } = (await built('runner.js')) as typeof import('../../lib/run/runner.ts');
  const { execute } = (await built('execute.js')) as typeof import('../../lib/run/execute.ts');
  const runner = new Runner();
  onTestFinished(() => runner.close());
  const target = {
    name: 'dying',
    embedded: false,
    hooks: {},
    shipping: { baseUrl: 'http://target.example', clientId: 'me', clientSecret: 'hunter2-hunter2' },
  } as unknown as ResolvedTarget;
  const { report, outcome } = await execute(runner, {
    target,
    options: runOptions(['oauth-token'], { effects: ['read'], timeoutMs: 1_000 }),
    transport: { module: new URL('./dies.js', import.meta.url).href, params: {} },
  });
  expect(outcome.problems.join('\n')).toContain('the thread that ran the checks ended before they did');
  expect(report.exitCode).toBe(3);
  expect(
    report.checks.some(({ id, verdict }) => id.startsWith('SUITE-PROBLEM') && verdict === 'errored'),
  ).toBe(true);
});
