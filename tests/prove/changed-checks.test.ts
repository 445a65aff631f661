/** Of an earlier outcome, only the checks that have changed run again, if they say the same. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DefinedCheck } from '../../lib/check/suite.ts';
import { changedChecks } from '../../lib/prove/changed-checks.ts';
import type { CaseOutcome, CheckOutcome } from '../../lib/prove/model.ts';
import { conform, temporaryFolder } from '../lib/conform.ts';

const check = (id: string, file: string, more: Partial<DefinedCheck> = {}) =>
  ({ id, source: { file, line: 1 }, ...more }) as DefinedCheck;

const failed = (id: string, more: Partial<CheckOutcome> = {}): CheckOutcome => ({
  check: id,
  verdict: 'failed',
  verdicts: { [id]: 'failed' },
  reason: 'wrong',
  ...more,
});

const outcome = (...notable: CheckOutcome[]): CaseOutcome => ({
  id: 'a case',
  checks: 1,
  requests: 1,
  durationMs: 1,
  notable,
  skipped: [],
  passed: [],
});

const ALL = [
  check('A', 'a.suite.ts'),
  check('B', 'b.suite.ts'),
  check('JUDGE', 'whole-run.suite.ts', { faults: () => false, looksBack: true }),
  check('LATER', 'later.suite.ts', { looksBack: true }),
];

describe('when the file of a check has changed', () => {
  const again = changedChecks(ALL, ['a.suite.ts'])!;

  test('it runs again, and those that judge its answers or look back at them', () => {
    expect(again.changed.map(({ id }) => id)).toEqual(['A']);
    expect(again.judges.map(({ id }) => id)).toEqual(['JUDGE', 'LATER']);
  });

  test('the outcome holds if it says the same, whatever the others said', () => {
    expect(again.sayTheSame(outcome(), outcome(failed('B')))).toBe(true);
    expect(again.sayTheSame(outcome(failed('A')), outcome(failed('A'), failed('B')))).toBe(true);
  });

  test.each([
    ['it fails now', outcome(failed('A')), outcome()],
    ['it no longer fails', outcome(), outcome(failed('A'))],
    ['it says why in other words', outcome(failed('A', { reason: 'worse' })), outcome(failed('A'))],
    ['it is skipped now', { ...outcome(), skipped: ['A'] }, outcome()],
    ['a check is gone that failed', outcome(), outcome(failed('GONE'))],
    ['an answer that it gets is judged wrong', outcome(failed('JUDGE')), outcome()],
  ])('the outcome does not hold if %s', (_, now, before) => {
    expect(again.sayTheSame(now, before)).toBe(false);
  });

  test('what blocks it, and the test data of a reason, make no difference', () => {
    const blocked = (reason: string, blockedBy: string) =>
      outcome(failed('A', { verdict: 'blocked', verdicts: { A: 'blocked' }, reason, blockedBy }));
    expect(again.sayTheSame(blocked('the list shows 19', 'B'), blocked('the list shows 21', 'C'))).toBe(true);
    expect(again.sayTheSame(blocked('the list is lost', 'B'), blocked('the list is cut', 'B'))).toBe(false);
  });

  test('that an answer it gets is judged wrong is no news where that failed before', () => {
    const judged = outcome(failed('JUDGE', { verdicts: { B: 'failed' } }));
    expect(again.sayTheSame(judged, outcome(failed('B')))).toBe(true);
  });
});

test('when a check has changed that looks back at a whole run, all have to run', () => {
  expect(changedChecks(ALL, ['a.suite.ts', 'whole-run.suite.ts'])).toBeUndefined();
});

const FILE = 'suites/oauth-token/revoke-refused.suite.ts';
const CASE = 'shipping/revoke-not-bound';

/** Contents of `kept.json`, as far as they are altered here. */
interface KeptFile {
  checks: Record<string, Record<string, string>>;
  outcomes: Record<string, { outcome: CaseOutcome }>;
}

test('prove --changed runs the checks of a changed file alone, and everything if they say something else', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'kept.json');
  const prove = (...more: string[]) =>
    conform(['prove', '--suite', 'oauth-token', '--only', CASE, '--jobs', '1', '--out', folder, ...more]);
  const readKept = () => JSON.parse(readFileSync(file, 'utf8')) as KeptFile;
  /** Makes it look as if the checks of the file had been others, and the case had had this outcome. */
  const alter = (before: CaseOutcome) => {
    const kept = readKept();
    for (const digests of Object.values(kept.checks)) {
      expect(digests[FILE]).toBeDefined();
      digests[FILE] = 'another';
    }
    kept.outcomes[CASE]!.outcome = before;
    writeFileSync(file, JSON.stringify(kept));
  };
  await prove();
  const { outcome: first } = readKept().outcomes[CASE]!;
  expect(first.notable.length).toBeGreaterThan(0);

  // A mark by which the earlier outcome is known again.
  alter({ ...first, requests: 1_000_000 });
  expect((await prove('--changed')).stdout).toContain('unchanged     1 more');
  expect(readKept().outcomes[CASE]!.outcome.requests).toBe(1_000_000);

  alter({ ...first, notable: first.notable.map((each) => ({ ...each, evidence: ['something else'] })) });
  expect((await prove('--changed')).stdout).not.toContain('unchanged');
  expect({ ...readKept().outcomes[CASE]!.outcome, durationMs: 0 }).toEqual({ ...first, durationMs: 0 });
});
