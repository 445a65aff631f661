/** A blocked check names a requirement that failed as its cause, and never one that holds. */
import { describe, expect, test } from 'vitest';
import type { CheckResult, Exchange } from '../../lib/model/results.ts';
import { Roots, traceBlocked } from '../../lib/run/roots.ts';

const exchange = (id: string, method: string, path: string, status: number): Exchange => ({
  id,
  purpose: id,
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 1,
  request: { method, url: `http://127.0.0.1${path}`, headers: [] },
  response: { status, headers: [], body: { text: '', bytes: 0 } },
});

const result = (id: string, more: Partial<CheckResult>): CheckResult => ({
  id,
  suite: 'notes',
  title: id,
  requirements: [id],
  verdict: 'passed',
  verdicts: { [id]: more.verdict ?? 'passed' },
  findings: [],
  observations: [],
  effects: 'read',
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 1,
  exchanges: [],
  sharedExchanges: [],
  ...more,
});

const failed = (id: string, shows: Exchange): CheckResult =>
  result(id, {
    verdict: 'failed',
    findings: [{ requirement: id, message: 'it is wrong', exchange: shows.id }],
    exchanges: [shows],
  });

const blocked = (id: string, blockedBy: string, exchanges: Exchange[], shared: string[] = []): CheckResult =>
  result(id, { verdict: 'blocked', reason: 'because', blockedBy, exchanges, sharedExchanges: shared });

const causes = (checks: CheckResult[]) =>
  Object.fromEntries(traceBlocked(checks).map((check) => [check.id, check.blockedBy]));

describe('the cause of a blocked check', () => {
  const refused = exchange('x1', 'PATCH', '/v1/notes/17', 422);

  test('stays where it failed, or waits for what failed', () => {
    const checks = [failed('A', refused), blocked('B', 'A', []), blocked('C', 'B', [])];
    expect(causes(checks)).toMatchObject({ B: 'A', C: 'B' });
  });

  test('that holds gives way to what failed on the same exchange', () => {
    const checks = [result('A', {}), failed('F', refused), blocked('B', 'A', [], ['x1'])];
    expect(causes(checks)).toMatchObject({ B: 'F' });
  });

  test('is found also where an address is none without what looked like a secret', () => {
    const hidden = { ...refused, request: { ...refused.request, url: 'http://127.0.0.1«path»' } };
    const checks = [result('A', {}), failed('F', hidden), blocked('B', 'A', [{ ...hidden, id: 'x2' }])];
    expect(causes(checks)).toMatchObject({ B: 'F' });
  });

  test('that holds gives way to what failed on a request of the same kind with the same answer', () => {
    const alike = exchange('x2', 'PATCH', '/v1/notes/18', 422);
    expect(causes([result('A', {}), failed('F', refused), blocked('B', 'A', [alike])])).toMatchObject({
      B: 'F',
    });
    const other = exchange('x3', 'PATCH', '/v2/notes/18', 422);
    expect(causes([result('A', {}), failed('F', refused), blocked('B', 'A', [other])]).B).toBeUndefined();
  });

  test('that holds is not named where nothing tells what it was', () => {
    const [, check] = traceBlocked([result('A', {}), blocked('B', 'A', [])]);
    expect(check).toMatchObject({ verdict: 'blocked', reason: 'because' });
    expect(check).not.toHaveProperty('blockedBy');
  });

  test('in a circle is none', () => {
    const circle = [blocked('A', 'B', []), blocked('B', 'A', [])];
    expect(new Roots(circle).explains('A')).toBe(false);
    expect(causes(circle)).toEqual({ A: undefined, B: undefined });
  });
});
