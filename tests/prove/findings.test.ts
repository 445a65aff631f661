import { describe, expect, test } from 'vitest';
import type { Requirement } from '../../lib/model/catalogue/types.ts';
import { except } from '../../lib/prove/exceptions.ts';
import { findingsOf, gaps } from '../../lib/prove/findings.ts';
import type { CaseOutcome, CheckOutcome, ProofCase } from '../../lib/prove/model.ts';

const requirement = (id: string, level: Requirement['level']): Requirement => ({
  id,
  section: '1',
  level,
  title: id,
  statement: id,
});
const requirements = new Map(
  [
    requirement('R-ONE', 'required'),
    requirement('R-TWO', 'required'),
    requirement('R-ADVICE', 'advised'),
    requirement('R-OPEN', 'silence'),
  ].map((r) => [r.id, r]),
);

const facts = (kind: ProofCase['kind'], more: Partial<ProofCase> = {}): ProofCase => ({
  id: `shipping/${kind}`,
  service: 'shipping',
  kind,
  origin: 'hand',
  sentence: 'does it wrong',
  breaks: [],
  entails: [],
  fills: [],
  ...more,
});

const outcome = (notable: CheckOutcome[], more: Partial<CaseOutcome> = {}): CaseOutcome => ({
  id: 'shipping/x',
  checks: 3,
  requests: 9,
  durationMs: 1,
  notable,
  skipped: [],
  passed: [],
  ...more,
});

const said = (check: string, verdict: CheckOutcome['verdict'], reason = 'because'): CheckOutcome => ({
  check,
  verdict,
  verdicts: { [check.split('/')[0] as string]: verdict },
  reason,
});

const kinds = (each: ProofCase, came: CaseOutcome) =>
  findingsOf({ facts: each, outcome: came }, requirements).map(({ kind, requirement: id, check }) => [
    kind,
    id ?? check,
  ]);

describe('a deviation', () => {
  const one = facts('deviation', { breaks: ['R-ONE'] });

  test('that is caught, and nothing else, is fine', () => {
    expect(kinds(one, outcome([said('R-ONE/case', 'failed'), said('R-TWO', 'blocked')]))).toEqual([]);
  });

  test('that no check fails on is a survivor, whatever was blocked', () => {
    expect(kinds(one, outcome([said('R-ONE', 'blocked')]))).toEqual([
      ['survivor', 'R-ONE'],
      ['rootless', 'R-ONE'],
    ]);
  });

  test('has to be caught in everything that it breaks', () => {
    const two = facts('deviation', { breaks: ['R-ONE', 'R-TWO'] });
    expect(kinds(two, outcome([said('R-ONE', 'failed')]))).toEqual([['survivor', 'R-TWO']]);
  });

  test('of an advised requirement is caught by a warning', () => {
    expect(
      kinds(facts('deviation', { breaks: ['R-ADVICE'] }), outcome([said('R-ADVICE', 'warned')])),
    ).toEqual([]);
  });

  test('that fails another requirement is over-blame, unless it entails it', () => {
    const came = outcome([said('R-ONE', 'failed'), said('R-TWO', 'failed')]);
    expect(kinds(one, came)).toEqual([['over-blame', 'R-TWO']]);
    expect(kinds({ ...one, entails: ['R-T*'] }, came)).toEqual([]);
  });
});

describe('a check that is blocked', () => {
  const one = facts('deviation', { breaks: ['R-ONE'] });
  const waiting = (check: string, blockedBy?: string): CheckOutcome => ({
    ...said(check, 'blocked'),
    ...(blockedBy !== undefined && { blockedBy }),
  });

  test('by what failed, or by what waits for it, has a root', () => {
    const came = outcome([said('R-ONE', 'failed'), waiting('R-TWO', 'R-ONE'), waiting('R-OPEN', 'R-TWO')]);
    expect(kinds(one, came)).toEqual([]);
  });

  test('by what holds is without a root', () => {
    const came = outcome([said('R-ONE', 'failed'), waiting('R-OPEN', 'R-TWO')]);
    expect(kinds(one, came)).toEqual([['rootless', 'R-OPEN']]);
  });

  test('where nothing failed is without a root, though something was warned of', () => {
    const advised = facts('deviation', { breaks: ['R-ADVICE'] });
    expect(kinds(advised, outcome([said('R-ADVICE', 'warned'), waiting('R-TWO')]))).toEqual([
      ['rootless', 'R-TWO'],
    ]);
  });

  test('by a requirement of a suite that did not run tells nothing', () => {
    const came = outcome([said('R-ONE', 'failed'), waiting('R-TWO', 'OTHER-SUITE')]);
    expect(kinds(one, came)).toEqual([]);
  });
});

describe('a pair', () => {
  const pair = facts('pair', { breaks: ['R-ONE', 'R-TWO'], parts: [['R-ONE'], ['R-TWO']] });

  test('is seen where both fail, or one waits for the other', () => {
    expect(kinds(pair, outcome([said('R-ONE', 'failed'), said('R-TWO', 'failed')]))).toEqual([]);
    const behind = { ...said('R-TWO', 'blocked'), blockedBy: 'R-ONE' };
    expect(kinds(pair, outcome([said('R-ONE', 'failed'), behind]))).toEqual([]);
  });

  test('of which one is not seen at all is a survivor', () => {
    expect(kinds(pair, outcome([said('R-ONE', 'failed')]))).toEqual([['survivor', 'R-TWO']]);
  });

  test('on which nothing fails is a survivor, whatever was blocked', () => {
    const came = outcome([said('R-ONE', 'blocked'), said('R-TWO', 'blocked')]);
    expect(kinds(pair, came)).toContainEqual(['survivor', undefined]);
  });
});

test('a variant: failures are false alarms, and what is not decided is told', () => {
  const came = outcome([said('R-ONE', 'failed'), said('R-TWO', 'errored'), said('R-ADVICE', 'warned')]);
  expect(kinds(facts('variant'), came)).toEqual([
    ['false-alarm', 'R-ONE'],
    ['undecided', 'R-TWO'],
  ]);
});

test('the reference: a skipped check is told as well', () => {
  expect(kinds(facts('reference'), outcome([], { skipped: ['R-ONE'] }))).toEqual([['undecided', 'R-ONE']]);
});

test('a trivial server: only what is required must not pass', () => {
  const came = outcome([], { passed: ['R-ONE', 'R-ADVICE'] });
  expect(kinds(facts('trivial'), came)).toEqual([['pass', 'R-ONE']]);
});

test('a check that breaks down is a mistake, not an undecided variant', () => {
  const broken = said('R-ONE', 'errored', 'a mistake in the suite itself, please report it: TypeError');
  expect(kinds(facts('variant'), outcome([broken]))).toEqual([['mistake', 'R-ONE']]);
});

describe('the whole', () => {
  test('lacks what nothing breaks and what nothing fills', () => {
    const proven = [
      {
        facts: facts('deviation', { breaks: ['R-ONE', 'R-TWO'] }),
        outcome: outcome([said('R-ONE', 'failed')]),
      },
    ];
    expect(gaps(proven, requirements).map(({ kind, requirement: id }) => [kind, id])).toEqual([
      ['unproven', 'R-TWO'],
      ['unvaried', 'R-OPEN'],
    ]);
  });

  test('exceptions mark what they cover, and tell when they cover nothing', () => {
    const findings = findingsOf(
      { facts: facts('deviation', { breaks: ['R-ONE'] }), outcome: outcome([]) },
      requirements,
    );
    const used = { kind: 'survivor' as const, case: 'shipping/dev*', requirement: 'R-ONE', reason: 'known' };
    const unused = { kind: 'survivor' as const, requirement: 'R-TWO', reason: 'gone' };
    expect(except(findings, [used, unused])).toEqual([unused]);
    expect(findings.map(({ exception }) => exception)).toEqual(['known']);
  });
});
