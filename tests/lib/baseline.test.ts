/** Known failures: what they excuse, when they stop doing so, and what a pipeline can ask besides. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RequirementResult, Totals, Verdict } from '../../lib/model/results.ts';
import { judgeBaseline, readBaseline } from '../../lib/run/baseline.ts';
import { minExercisedOf, unmetGates } from '../../lib/run/gates.ts';
import { conformHere, temporaryFile, temporaryFolder } from './conform.ts';

const results = (verdicts: Record<string, Verdict>): RequirementResult[] =>
  Object.entries(verdicts).map(([id, verdict]) => ({
    id,
    suite: 'a',
    section: '1',
    level: 'required',
    title: id,
    statement: id,
    verdict,
    checks: [],
  }));

const FOUND = results({ 'A-ONE': 'failed', 'A-TWO': 'passed', 'A-THREE': 'skipped' });
const totals = { requirements: 10, exercised: 4 } as Totals;

describe('an entry of a baseline', () => {
  test.each([
    ['that fails', { id: 'A-ONE' }, 'fails', ['A-ONE']],
    ['that fails on its last day', { id: 'A-ONE', expires: '2026-11-22' }, 'fails', ['A-ONE']],
    ['that is past its last day', { id: 'A-ONE', expires: '2026-11-21' }, 'expired', ['A-ONE']],
    ['that holds', { id: 'A-TWO' }, 'holds', []],
    ['that was not exercised', { id: 'A-THREE' }, 'not-exercised', []],
    ['that names several', { id: 'A-*' }, 'fails', ['A-ONE']],
  ])('%s is seen as such', (_, entry, state, failed) => {
    expect(judgeBaseline([entry], FOUND, '2026-11-22')).toMatchObject([{ state, failed }]);
  });

  test('with a mistake in its id is refused', () => {
    const file = temporaryFile('baseline.yaml', 'known:\n  - A-ONE\n  - { id: A-TOW, reason: x }\n');
    expect(() => readBaseline(file, ['A-ONE', 'A-TWO'])).toThrow(
      'entry 2: A-TOW matches no requirement; did you mean `A-TWO`?',
    );
  });

  test('in a folder in the place of a file is refused', () => {
    const folder = temporaryFolder();
    expect(() => readBaseline(folder, [])).toThrow(`${folder}: no such file of known failures`);
  });
});

describe('a gate', () => {
  test.each([
    ['40%', []],
    ['41%', ['--min-exercised asks for 41% (5): 4 of 10 were exercised']],
    ['4', []],
    ['5', ['--min-exercised asks for 5: 4 of 10 were exercised']],
  ])('of %s exercised', (least, unmet) => {
    expect(unmetGates({ minExercised: minExercisedOf(least) }, totals, FOUND, [])).toEqual(unmet);
  });

  test.each(['x', '101%', '1.5', '-1'])('of %s is refused', (least) => {
    expect(() => minExercisedOf(least)).toThrow('--min-exercised');
  });

  test('asks that something holds', () => {
    const unmet = (pattern: string) => unmetGates({ require: [pattern] }, totals, FOUND, []);
    expect(unmet('A-TWO')).toEqual([]);
    expect(unmet('A-*')).toEqual(['--require A-*: not shown to hold: A-ONE, A-THREE']);
    expect(unmet('B-*')).toEqual(['--require B-*: nothing of that was run']);
  });

  test('asks for a baseline that is up to date', () => {
    const baseline = judgeBaseline(
      [{ id: 'A-TWO' }, { id: 'A-ONE', expires: '2020-01-01' }],
      FOUND,
      '2026-11-22',
    );
    expect(unmetGates({ strictBaseline: true }, totals, FOUND, baseline)).toEqual([
      'the baseline names A-TWO, which holds: remove the entry',
      "the baseline's entry A-ONE expired on 2020-01-01",
    ]);
    expect(unmetGates({}, totals, FOUND, baseline)).toEqual([]);
  });
});

describe('at the command line', () => {
  const report = (verdicts: Record<string, Verdict>, answer = 'yes') =>
    temporaryFile(
      'report.json',
      JSON.stringify({
        format: 1,
        target: { name: 'mine', urls: {} },
        startedAt: '2026-11-22T00:00:00.000Z',
        summary: 's',
        exitCode: 1,
        known: [],
        totals,
        requirements: results(verdicts),
        checks: [],
        observations: [{ id: 'A-OPEN', question: 'open?', answer }],
      }),
    );

  test('a baseline is written, and keeps its reasons when it is written again', async () => {
    const cwd = temporaryFolder();
    await conformHere(
      ['baseline', report({ 'A-ONE': 'failed', 'A-TWO': 'failed' }), '--reason', 'since ever'],
      {
        cwd,
      },
    );
    const file = join(cwd, 'baseline.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('since ever', 'tracked as 12'));
    const { stdout } = await conformHere(['baseline', report({ 'A-ONE': 'failed', 'A-NEW': 'failed' })], {
      cwd,
    });
    expect(stdout).toContain('1 entry added, 1 kept, 1 removed');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('tracked as 12');
    expect(text).toContain('A-NEW');
    expect(text).not.toContain('A-TWO');
  });

  test('two runs are compared', async () => {
    const before = report({ 'A-ONE': 'passed', 'A-TWO': 'failed', 'A-THREE': 'skipped' });
    const after = report({ 'A-ONE': 'failed', 'A-TWO': 'passed', 'A-THREE': 'passed' }, 'no');
    const page = join(temporaryFolder(), 'matrix.html');
    const { code, stdout } = await conformHere(['compare', before, after, '--html', page]);
    expect(code).toBe(1);
    for (const line of [
      'broke  A-ONE',
      'fixed  A-TWO',
      'newly exercised  A-THREE',
      'answered differently  A-OPEN',
    ])
      expect(stdout).toContain(line);
    expect(readFileSync(page, 'utf8')).toContain('3 of 3 requirements differ');
    expect((await conformHere(['compare', before, before])).stdout).toBe('no difference\n');
  });

  test('known failures: no format reports a failure, and an outdated entry is reported', async () => {
    const known = temporaryFile('baseline.yaml', 'known:\n  - id: ADDR-READ-STATUS\n    reason: none\n');
    const out = temporaryFolder();
    const run = ['run', '--grep', 'ADDR-READ-STATUS', '--seed', '1', '--known-failures', known, '--out', out];
    const loose = await conformHere([...run, '--no-strict-baseline']);
    expect(loose.code).toBe(0);
    expect(loose.stdout).toContain('ADDR-READ-STATUS holds now: remove the entry');
    const strict = await conformHere(run, { env: { CI: 'true' } });
    expect(strict.code).toBe(1);
    expect(strict.stdout).toContain('the baseline names ADDR-READ-STATUS, which holds');
  });

  test('a pattern narrows the denominator', async () => {
    const out = temporaryFolder();
    const { code, stdout } = await conformHere([
      'run',
      '--grep',
      'TOKEN-NO-STORE',
      '--seed',
      '1',
      '--out',
      out,
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('TOKEN-NO-STORE chose nothing required');
  });
});
