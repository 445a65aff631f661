/** A conforming target behind a network that loses requests or answers: no requirement fails. */
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { DefinedCheck } from '../../lib/check/suite.ts';
import type { ResolvedTarget } from '../../lib/config/types.ts';
import { checksOfSuites } from '../../lib/run/suite-files.ts';
import { runOptions } from '../lib/run-options.ts';
import { runChecks } from './in-process.ts';
import { SUITES } from './suites.ts';
import { type Fate, unsteadyReference } from './unsteady.ts';

const every =
  (nth: number, lost: 'request lost' | 'answer lost'): Fate =>
  (n) =>
    n % nth === 0 ? lost : 'served';

const NETWORKS: [what: string, fate: Fate][] = [
  ['every 23rd request is lost', every(23, 'request lost')],
  ['every 7th answer is lost', every(7, 'answer lost')],
  ['the target is gone after 60 requests', (n) => (n > 60 ? 'request lost' : 'served')],
];

describe.each(SUITES)('the suite %s', (suite) => {
  let checks: DefinedCheck[] = [];

  beforeAll(async () => {
    checks = await checksOfSuites([suite]);
  });

  test.each(NETWORKS)(
    'accuses nobody when %s, and is undecided',
    { timeout: 180_000 },
    async (_what, fate) => {
      const { target, close } = await unsteadyReference(fate);
      onTestFinished(close);

      const report = await runChecks(
        checks,
        { name: 'unsteady', embedded: false, ...target } as ResolvedTarget,
        runOptions([suite]),
      );

      expect(
        report.checks.filter((check) => check.verdict === 'failed').map((check) => check.reason),
      ).toEqual([]);
      expect(report.totals.checks.errored).toBeGreaterThan(0);
      expect(report.totals.passed).toBeGreaterThan(0);
      expect(report.exitCode).toBe(3);
    },
  );
});
