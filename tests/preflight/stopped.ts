/** Runs that the preflight stops. */
import { expect } from 'vitest';
import type { TargetConfig } from '../../lib/config/types.ts';
import { runAgainst, temporaryFolder } from '../lib/conform.ts';

/** Expects status 3, a message that matches `sentence`, at most `atMost` requests, and no judged check. */
export async function expectStopped(config: TargetConfig, sentence: RegExp, atMost = 24): Promise<string> {
  const { code, stdout, report } = await runAgainst(config, [], {
    env: { XDG_STATE_HOME: temporaryFolder() },
  });
  expect(stdout).toMatch(sentence);
  expect(stdout.match(/^✗ /gm)).toHaveLength(1);
  expect(code).toBe(3);
  expect(report.exitCode).toBe(3);
  expect(report.requests).toBeLessThanOrEqual(atMost);
  expect(report.totals).toMatchObject({ exercised: 0, failed: 0 });
  expect(report.checks.map(({ id, verdict }) => [id, verdict])).toEqual([['PREFLIGHT/1', 'errored']]);
  return stdout;
}
