/** Runs that the preflight stops, and runs of which it blocks some checks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TargetConfig } from '../../lib/config/types.ts';
import { type Reported, runAgainst, temporaryFolder } from '../lib/conform.ts';

/** Expects status 3, a message that matches `sentence`, at most `atMost` requests, and no judged check. */
export async function expectStopped(config: TargetConfig, sentence: RegExp, atMost = 24): Promise<string> {
  const { code, stdout, report, out } = await runAgainst(config, [], {
    env: { XDG_STATE_HOME: temporaryFolder() },
  });
  expect(stdout).toMatch(sentence);
  expect(stdout.match(/^✗ /gm)).toHaveLength(1);
  expect(code).toBe(3);
  expect(report.exitCode).toBe(3);
  expect(report.requests).toBeLessThanOrEqual(atMost);
  expect(report.totals).toMatchObject({ exercised: 0, failed: 0 });
  expect(report.checks.map(({ id, verdict }) => [id, verdict])).toEqual([['PREFLIGHT/1', 'errored']]);
  // Whoever reads only the first lines of a report reads why.
  expect(report.summary).toMatch(/^stopped before it began: .*; 0 of \d+ requirements exercised, 0 hold$/);
  const [, why = ''] = /^stopped before it began: (.{20})/.exec(report.summary) ?? [];
  expect(report.checks[0]?.reason).toContain(why);
  for (const name of ['summary.md', 'annotations.txt'])
    expect(readFileSync(join(out, name), 'utf8')).toContain('stopped before it began: ');
  return stdout;
}

/** Expects status 3, no failure, at least one check that holds, and blocked checks whose reason matches. */
export function expectBlocked({ code, stdout, report }: Reported, reason: RegExp): void {
  expect(stdout).toMatch(new RegExp(`^preflight  ${reason.source}`, 'm'));
  expect(code).toBe(3);
  expect(report.totals.failed).toBe(0);
  expect(report.totals.passed).toBeGreaterThan(0);
  const blocked = report.checks.filter(({ verdict }) => verdict === 'blocked');
  expect(blocked.length).toBeGreaterThan(0);
  for (const check of blocked) {
    expect(check.reason).toMatch(reason);
    expect(check.blockedBy).toBeUndefined();
  }
}
