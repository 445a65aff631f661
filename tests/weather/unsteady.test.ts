/** A conforming target behind bad weather: nobody is accused, and nothing stays behind. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { runAgainst } from '../lib/conform.ts';
import { SUITES } from './suites.ts';
import { type Fate, unsteadyReference } from './unsteady.ts';

const every =
  (nth: number, lost: 'request lost' | 'answer lost'): Fate =>
  (n) =>
    n % nth === 0 ? lost : 'served';

const WEATHER: [what: string, fate: Fate][] = [
  ['every 23rd request is lost', every(23, 'request lost')],
  ['every 7th answer is lost', every(7, 'answer lost')],
  ['the target is gone after 150 requests', (n) => (n > 150 ? 'request lost' : 'served')],
];

describe.each(WEATHER)('when %s', (_what, fate) => {
  test('nothing counts as failed, and the run is undecided', async () => {
    const { target, close } = await unsteadyReference(fate);
    onTestFinished(close);

    const run = await runAgainst(target, [
      ...['--suite', ...SUITES],
      '--timeout',
      '5',
      '--effects',
      'read,write,settings',
    ]);

    expect(run.stderr).toBe('');
    expect(run.report.checks.filter((c) => c.verdict === 'failed').map((c) => c.reason)).toEqual([]);
    expect(run.report.totals.checks.errored).toBeGreaterThan(0);
    expect(run.report.totals.passed).toBeGreaterThan(0);
    expect(run.code).toBe(3);
  });
});
