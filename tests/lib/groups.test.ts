/** One fault is one group: its root first, the others below it. */
import { expect, test } from 'vitest';
import type { CheckResult, Finding } from '../../lib/model/results.ts';
import { foldByCauses, groupFailures } from '../../lib/run/groups.ts';

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

test('two properties of an answer that are wrong in different ways are two faults', () => {
  const checks = [
    failed('NAME', [{ exchange: 'x1', pointer: '/data/0/name', found: '{"value":"Ana"}' }]),
    failed('SIZE', [{ exchange: 'x1', pointer: '/data/3/size', found: '-1' }]),
    failed('TAG', [{ exchange: 'x1', pointer: '/data/3/tag', found: '"padded "' }]),
    failed('MARK', [{ exchange: 'x1', pointer: '/data/3/mark', found: '"other"' }]),
  ];
  expect(groupFailures(checks, []).map(({ requirements }) => requirements)).toHaveLength(4);
});

test('properties that are wrong in the same way are one, and so is what is inside of another one', () => {
  const checks = [
    failed('STREET', [{ exchange: 'x2', by: 'x1', pointer: '/data/street', found: 'null' }]),
    failed('NUMBER', [{ exchange: 'x2', by: 'x1', pointer: '/data/number', found: 'null' }]),
    failed('LIST', [{ exchange: 'x5', pointer: '/data', found: '{}' }]),
    failed('ITEM', [{ exchange: 'x5', pointer: '/data/4/name', found: '7' }]),
  ];
  const groups = groupFailures(checks, []).map(({ requirements }) => [...requirements].sort());
  expect(groups.sort()).toEqual([
    ['ITEM', 'LIST'],
    ['NUMBER', 'STREET'],
  ]);
});

test('what a named cause explains whole is one entry; what it explains in part stays', () => {
  const groups = groupFailures(
    [
      failed('ONE', [{ exchange: 'x1' }]),
      failed('TWO', [{ exchange: 'x2' }]),
      failed('OTHER', [{ exchange: 'x3' }]),
    ],
    [SEVERE('TWO', 'critical')],
  );
  const cause = { requirement: 'ONE', sentence: 'looks at nothing', score: 1, checks: ['ONE', 'TWO'] };
  const folded = foldByCauses(groups, [{ ...cause, deviation: 'some/ignored' }]);
  expect(folded.map(({ root, requirements }) => [root, requirements])).toEqual([
    ['ONE', ['ONE', 'TWO']],
    ['OTHER', ['OTHER']],
  ]);
  expect(folded[0]).toMatchObject({ severity: 'critical', exchanges: ['x1', 'x2'] });
  expect(foldByCauses(groups, [cause])).toHaveLength(3);
});
