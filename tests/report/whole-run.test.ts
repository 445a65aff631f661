/** A run that is not fine as a whole is not all green where readers look at checks alone. */
import { expect, test } from 'vitest';
import type { RunReport } from '../../lib/model/results.ts';
import { ctrf } from '../../lib/report/ctrf.ts';
import { junit } from '../../lib/report/junit.ts';
import { headline } from '../../lib/report/words.ts';
import { markInterrupted } from '../../lib/run/selection.ts';
import { sampleReport } from './sample.ts';

/** A run in which every check passed. */
function fine(): RunReport {
  const sample = sampleReport();
  const checks = sample.checks.filter(({ verdict }) => verdict === 'passed');
  return { ...sample, checks, exitCode: 0, known: [] };
}

test('a run without fault has no testcase of its own', () => {
  expect(junit(fine())).not.toMatch(/<error |<failure |as a whole/);
  expect(JSON.parse(ctrf(fine())).results.summary).toMatchObject({ failed: 0, other: 0 });
});

test('an interrupted run is an error', () => {
  const report = fine();
  markInterrupted(report, 7);
  expect(junit(report)).toMatch(
    /name="the run as a whole"[^>]*>\s*<error type="errored" message="Interrupted: .*7 entries/,
  );
  expect(JSON.parse(ctrf(report)).results.summary).toMatchObject({ failed: 0, other: 1 });
});

test('a run that left something behind says so, and is an error', () => {
  const report: RunReport = { ...fine(), exitCode: 3, leftovers: ['address 7 is still there'] };
  expect(headline(report)).toBe('Not everything was put back');
  expect(junit(report)).toMatch(/<error [^>]*>[^<]*address 7 is still there/);
});

test('a condition that is not met is a failure', () => {
  const gates = ['--min-exercised 90%: 12 of 20 were exercised'];
  const report: RunReport = { ...fine(), exitCode: 1, gates };
  expect(junit(report)).toMatch(/<failure [^>]*>[^<]*--min-exercised 90%/);
  expect(JSON.parse(ctrf(report)).results.summary).toMatchObject({ failed: 1, other: 0 });
});
