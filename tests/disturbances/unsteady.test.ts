/** A conforming target behind a network that loses requests or answers: no requirement fails. */
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Session } from '../../lib/check/session.ts';
import type { DefinedCheck } from '../../lib/check/suite.ts';
import type { ResolvedTarget } from '../../lib/config/types.ts';
import { checksOfSuites } from '../../lib/run/suite-files.ts';
import { runOptions } from '../lib/run-options.ts';
import { runChecks } from './in-process.ts';
import { partOf, SUITES } from './suites.ts';
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

/** Makes pauses in real time take none: what happens depends on the number of the request alone. */
function withoutRests(session: Session): void {
  session.time.rest = async () => {};
}

describe.each(SUITES)('the suite %s', (suite) => {
  let checks: DefinedCheck[] = [];

  beforeAll(async () => {
    checks = await checksOfSuites([suite]);
  });

  test.each(NETWORKS)(
    'accuses nobody when %s, and is undecided',
    { timeout: 180_000 },
    async (what, fate) => {
      const { target, close } = await unsteadyReference(fate);
      onTestFinished(close);

      const nth = NETWORKS.findIndex((each) => each[0] === what);
      const report = await runChecks(
        partOf(checks, nth, 8),
        { name: 'unsteady', embedded: false, ...target } as ResolvedTarget,
        runOptions([suite]),
        { onSession: withoutRests },
      );

      expect(
        report.checks.filter((check) => check.verdict === 'failed').map((check) => check.reason),
      ).toEqual([]);
      expect(report.totals.checks.errored).toBeGreaterThan(0);
      expect(report.totals.passed).toBeGreaterThan(0);
      expect(report.exitCode).toBe(3);
    },
  );

  test('judges a target that is gone for some seconds and comes back', { timeout: 180_000 }, async () => {
    // Each rest costs one request in vain: the target is back before the last one is over.
    const { target, close } = await unsteadyReference((n) => (n > 60 && n <= 65 ? 'request lost' : 'served'));
    onTestFinished(close);

    const some = partOf(checks, SUITES.indexOf(suite), 8);
    const report = await runChecks(
      some,
      { name: 'unsteady', embedded: false, ...target } as ResolvedTarget,
      runOptions([suite]),
      { onSession: withoutRests },
    );

    expect(report.totals.failed).toBe(0);
    const { errored, blocked } = report.totals.checks;
    expect((errored + blocked) / some.length).toBeLessThan(0.1);
  });
});
