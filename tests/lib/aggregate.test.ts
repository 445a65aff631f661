/** From checks to the report: outcomes of requirements, totals with their denominators, the exit status. */
import { describe, expect, test } from 'vitest';
import type { Catalogue, Requirement } from '../../lib/model/catalogue/types.ts';
import type { CheckResult, RunReport, Verdict } from '../../lib/model/results.ts';
import { aggregate, type RunFacts } from '../../lib/run/aggregate.ts';
import { requirement } from './fakes.ts';

const FACTS: RunFacts = {
  tool: { name: 'tool', version: '1' },
  target: { name: 'mine', urls: {} },
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 5,
  seed: 7,
  strict: false,
  requests: 11,
};

const catalogue = (suite: string, ...requirements: Requirement[]): Catalogue => ({
  suite,
  title: suite,
  spec: '1-a',
  requirements,
});

const SUITE = catalogue(
  'a',
  requirement('A-ONE'),
  requirement('A-TWO'),
  requirement('A-ADVICE', { level: 'advised', standard: 'RFC 9110' }),
  requirement('A-SILENCE', { level: 'silence' }),
  requirement('A-HIDDEN', { level: 'untestable', reason: 'Nobody sees it.' }),
);

/** A check that says this of these requirements; its own verdict is the first one's unless given. */
function check(
  verdicts: Record<string, Verdict>,
  verdict = Object.values(verdicts)[0]!,
  id = Object.keys(verdicts)[0]!,
): CheckResult {
  return {
    id,
    suite: 'a',
    title: id,
    requirements: Object.keys(verdicts),
    verdict,
    verdicts,
    findings: [],
    observations: [],
    effects: 'read',
    startedAt: FACTS.startedAt,
    durationMs: 1,
    exchanges: [],
    sharedExchanges: [],
  };
}

const report = (checks: CheckResult[], facts: Partial<RunFacts> = {}): RunReport =>
  aggregate([SUITE], checks, { ...FACTS, ...facts });

const verdictOf = (checks: CheckResult[], id = 'A-ONE'): Verdict | undefined =>
  report(checks).requirements.find((r) => r.id === id)?.verdict;

describe('a requirement', () => {
  const ORDER: Verdict[] = ['failed', 'errored', 'warned', 'blocked', 'passed', 'skipped'];

  test('has the worst verdict that any of its checks gives it', () => {
    for (const [i, worse] of ORDER.entries()) {
      for (const better of ORDER.slice(i)) {
        const both = [check({ 'A-ONE': better }), check({ 'A-ONE': worse })];
        expect(verdictOf(both), `${worse} beside ${better}`).toBe(worse);
        expect(verdictOf(both.reverse())).toBe(worse);
      }
    }
  });

  test('has no verdict where no check ran for it', () => {
    expect(verdictOf([check({ 'A-TWO': 'passed' })])).toBeUndefined();
    expect(report([]).requirements.map((r) => r.id)).toEqual([
      'A-ONE',
      'A-TWO',
      'A-ADVICE',
      'A-SILENCE',
      'A-HIDDEN',
    ]);
  });

  test('that a passed check had nothing to look at for is decided by the others', () => {
    const empty = check({ 'A-TWO': 'passed', 'A-ONE': 'blocked' });
    expect(verdictOf([empty, check({ 'A-ONE': 'passed' })])).toBe('passed');
    expect(['skipped', 'blocked']).toContain(verdictOf([empty]));
    expect(report([empty]).totals).toMatchObject({ passed: 1, exercised: 1 });
  });

  test('names the checks that cite it, and says what the catalogue says', () => {
    const { requirements } = report([
      check({ 'A-ONE': 'passed', 'A-TWO': 'passed' }),
      check({ 'A-TWO': 'passed' }),
    ]);
    expect(requirements[1]).toMatchObject({
      id: 'A-TWO',
      suite: 'a',
      section: '4.1',
      level: 'required',
      basis: 'stated',
      verdict: 'passed',
      checks: ['A-ONE', 'A-TWO'],
    });
  });
});

describe('the exit status', () => {
  const STATUS: [what: string, checks: CheckResult[], facts: Partial<RunFacts>, status: 0 | 1 | 3][] = [
    ['everything exercised passed', [check({ 'A-ONE': 'passed' })], {}, 0],
    ['something was skipped beside', [check({ 'A-ONE': 'passed' }), check({ 'A-TWO': 'skipped' })], {}, 0],
    ['nothing ran', [], {}, 3],
    ['everything was skipped', [check({ 'A-ONE': 'skipped' })], {}, 3],
    ['only a silence was observed', [check({ 'A-SILENCE': 'observed' })], {}, 3],
    ['one failed', [check({ 'A-ONE': 'passed' }), check({ 'A-TWO': 'failed' })], {}, 1],
    ['one failed and one is undecided', [check({ 'A-ONE': 'errored' }), check({ 'A-TWO': 'failed' })], {}, 1],
    ['one is blocked', [check({ 'A-ONE': 'passed' }), check({ 'A-TWO': 'blocked' })], {}, 3],
    ['one is errored', [check({ 'A-ONE': 'passed' }), check({ 'A-TWO': 'errored' })], {}, 3],
    ['an advice is not followed', [check({ 'A-ONE': 'passed' }), check({ 'A-ADVICE': 'warned' })], {}, 0],
    [
      'an advice is not followed in a strict run',
      [check({ 'A-ONE': 'passed' }), check({ 'A-ADVICE': 'warned' })],
      { strict: true },
      1,
    ],
    [
      'all that failed is known to',
      [check({ 'A-ONE': 'passed' }), check({ 'A-TWO': 'failed' })],
      { baseline: [{ id: 'A-T*' }] },
      0,
    ],
    [
      'what failed, and blocks something, is known to',
      [
        check({ 'A-ONE': 'passed' }),
        check({ 'A-TWO': 'failed' }),
        { ...check({ 'A-THREE': 'blocked' }), blockedBy: 'A-TWO' },
      ],
      { baseline: [{ id: 'A-TWO' }] },
      0,
    ],
    [
      'what failed is known to, and something is errored',
      [check({ 'A-ONE': 'passed' }), check({ 'A-TWO': 'failed' }), check({ 'A-THREE': 'errored' })],
      { baseline: [{ id: 'A-TWO' }] },
      3,
    ],
    [
      'one failed that is not known to',
      [check({ 'A-ONE': 'failed' }), check({ 'A-TWO': 'failed' })],
      { baseline: [{ id: 'A-TWO' }] },
      1,
    ],
    ['what is known to fail passed', [check({ 'A-ONE': 'passed' })], { baseline: [{ id: 'A-ONE' }] }, 0],
  ];

  test.each(STATUS)('where %s', (_what, checks, facts, status) => {
    expect(report(checks, facts).exitCode).toBe(status);
  });

  test('names the known failures that did fail', () => {
    const facts = { baseline: [{ id: 'A-*' }] };
    expect(report([check({ 'A-ONE': 'passed' }), check({ 'A-TWO': 'failed' })], facts).known).toEqual([
      'A-TWO',
    ]);
    expect(report([check({ 'A-TWO': 'failed' })]).known).toEqual([]);
  });
});

describe('totals', () => {
  const CHECKS = [
    check({ 'A-ONE': 'passed' }),
    check({ 'A-TWO': 'failed' }),
    check({ 'A-ADVICE': 'warned' }),
    check({ 'A-SILENCE': 'observed' }),
  ];

  test('count requirements that are required, and everything else apart', () => {
    expect(report(CHECKS).totals).toEqual({
      requirements: 2,
      exercised: 2,
      passed: 1,
      failed: 1,
      skipped: 0,
      blocked: 0,
      errored: 0,
      warned: 1,
      observed: 1,
      untestable: 1,
      checks: { passed: 1, failed: 1, warned: 1, observed: 1, skipped: 0, blocked: 0, errored: 0 },
    });
  });

  test('are given for each suite, and for all', () => {
    const other = catalogue('b', requirement('B-ONE'), requirement('B-TWO'));
    const checks = [...CHECKS, { ...check({ 'B-ONE': 'passed' }), suite: 'b' }];
    const { suites, totals } = aggregate([SUITE, other], checks, FACTS);
    expect(suites.map(({ name, totals: t }) => [name, t.requirements, t.exercised, t.passed])).toEqual([
      ['a', 2, 2, 1],
      ['b', 2, 1, 1],
    ]);
    expect(totals).toMatchObject({ requirements: 4, exercised: 3, passed: 2, failed: 1 });
  });

  test('say so where a pattern selected nothing required', () => {
    const { summary } = report([check({ 'A-ADVICE': 'warned' })], { grep: ['A-ADVICE'] });
    expect(summary).toBe('A-ADVICE chose nothing required, 1 warned');
  });

  test('make a sentence with its denominators', () => {
    expect(report(CHECKS).summary).toBe('2 of 2 requirements exercised, 1 holds, 1 does not');
    expect(report([check({ 'A-ONE': 'blocked' }), check({ 'A-TWO': 'skipped' })]).summary).toBe(
      '0 of 2 requirements exercised, 0 hold, 1 undecided, 1 skipped',
    );
  });
});
