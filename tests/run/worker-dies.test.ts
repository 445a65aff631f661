/** The thread that runs the checks can die, for example for lack of memory: the run still ends, and says so. */
import { expect, onTestFinished, test } from 'vitest';
import type { ResolvedTarget } from '../../lib/config/types.ts';
import { execute } from '../../lib/run/execute.ts';
import { Runner } from '../../lib/run/runner.ts';

test('a worker that dies leaves the run undecided, with a report', async () => {
  const { exitCode } = process;
  const runner = await Runner.open();
  onTestFinished(async () => {
    await runner.close();
    // Vitest, when used as a library, sets it for the whole process.
    process.exitCode = exitCode;
  });
  const target = {
    name: 'dying',
    embedded: false,
    hooks: {},
    shipping: { baseUrl: 'http://target.example', clientId: 'me', clientSecret: 'hunter2-hunter2' },
  } as unknown as ResolvedTarget;
  const { report, outcome } = await execute(runner, {
    target,
    options: {
      suites: ['oauth-token'],
      grep: [],
      effects: ['read'],
      maxWaitMs: 0,
      timeoutMs: 1_000,
      seed: 1,
      strict: false,
    },
    transport: { module: new URL('./dies.ts', import.meta.url).href, params: {} },
  });
  expect(outcome.problems.join('\n')).toContain('the worker that ran the checks ended before they did');
  expect(report.exitCode).toBe(3);
  expect(
    report.checks.some(({ id, verdict }) => id.startsWith('SUITE-PROBLEM') && verdict === 'errored'),
  ).toBe(true);
});
