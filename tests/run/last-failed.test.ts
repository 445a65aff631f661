/** `--last-failed`: what a run repeats of the one before it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lastFailed } from '../../lib/cli/gates.ts';
import { UsageError } from '../../lib/model/usage-error.ts';
import { temporaryFolder } from '../lib/conform.ts';

/** A folder with the report of a run in which these checks were undecided. */
function outOf(ids: string[]): string {
  const out = temporaryFolder();
  const checks = ids.map((id) => ({ id, verdict: 'errored' }));
  writeFileSync(join(out, 'report.json'), JSON.stringify({ format: 1, requirements: [], checks }));
  return out;
}

test('only what failed or was undecided', () => {
  expect(lastFailed(outOf(['TOKEN-ISSUE-STATUS']))).toEqual(['TOKEN-ISSUE-STATUS']);
});

test('everything, where the preflight stopped the run', () => {
  expect(lastFailed(outOf(['PREFLIGHT/1']))).toEqual([]);
});

test('an error where nothing failed', () => {
  expect(() => lastFailed(outOf([]))).toThrow('nothing failed in the last run');
});

test.each(['{ broken', '{}', '[]'])('an error where the report is none: %s', (text) => {
  const out = temporaryFolder();
  writeFileSync(join(out, 'report.json'), text);
  expect(() => lastFailed(out)).toThrow(UsageError);
});
