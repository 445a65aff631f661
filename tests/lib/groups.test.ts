/** One fault is one group: its root first, the others below it. */
import { expect, test } from 'vitest';
import type { CheckResult, Finding } from '../../lib/model/results.ts';
import { groupFailures } from '../../lib/run/groups.ts';

function failed(id: string, findings: Partial<Finding>[], rest: Partial<CheckResult> = {}): CheckResult {
  const all = findings.map((each) => ({ requirement: id, message: 'wrong', ...each }));
  return {
    id,
    suite: 'some',
    title: id,
    requirements: all.map(({ requirement }) => requirement),
    verdict: 'failed',
    verdicts: Object.fromEntries(all.map(({ requirement }) => [requirement, 'failed'])),
    findings: all,
    observations: [],
    effects: 'read',
    startedAt: '2026-01-01T00:00:00Z',
    durationMs: 1,
    exchanges: [],
    sharedExchanges: [],
    ...rest,
  };
}

const blocked = (id: string, by: string): CheckResult =>
  failed(id, [], { verdict: 'blocked', blockedBy: by, verdicts: { [id]: 'blocked' } });

const SEVERE = (id: string, severity: 'critical' | 'major' | 'minor') => ({ id, severity });

test('failures that one answer shows are one group, what is wrong with it as a whole first', () => {
  const groups = groupFailures(
    [
      failed('FIELD', [
        { exchange: 'x1', pointer: '/data/name' },
        { requirement: 'OTHER', exchange: 'x1', pointer: '/data/tag' },
      ]),
      failed('BODY', [{ exchange: 'x1', pointer: '' }]),
    ],
    [],
  );
  expect(groups).toHaveLength(1);
  expect(groups[0]).toMatchObject({ root: 'BODY', checks: ['BODY', 'FIELD'], exchanges: ['x1'] });
  expect([...groups[0]!.requirements].sort()).toEqual(['BODY', 'FIELD', 'OTHER']);
});

test('failures that one request did are one group, whatever shows them', () => {
  const groups = groupFailures(
    [failed('A', [{ exchange: 'x2', by: 'x1' }]), failed('B', [{ exchange: 'x3', by: 'x1' }])],
    [],
  );
  expect(groups).toHaveLength(1);
});

test('failures that share nothing stay apart, by severity and then by what waits for them', () => {
  const groups = groupFailures(
    [
      failed('MINOR', [{ exchange: 'x1' }]),
      failed('ALONE', [{ exchange: 'x2' }]),
      failed('NEEDED', [{ exchange: 'x3' }]),
      blocked('LATER', 'NEEDED'),
      failed('WORST', [{ exchange: 'x4' }]),
    ],
    [SEVERE('MINOR', 'minor'), SEVERE('WORST', 'critical')],
  );
  expect(groups.map(({ root }) => root)).toEqual(['WORST', 'NEEDED', 'ALONE', 'MINOR']);
  expect(groups[1]).toMatchObject({ blocks: 1, severity: 'major' });
});

test('a failure that mostly occurs elsewhere too is not part of the group', () => {
  const groups = groupFailures(
    [
      failed('ONE', [{ exchange: 'x1', pointer: 'status' }]),
      failed(
        'WIDE',
        [{ exchange: 'x1', pointer: '/a' }, { exchange: 'x2' }, { exchange: 'x3' }].map((each) => ({
          ...each,
          requirement: 'WIDE',
        })),
      ),
    ],
    [],
  );
  expect(groups).toHaveLength(2);
});
