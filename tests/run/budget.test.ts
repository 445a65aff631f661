/** `--budget`: the checks that catch most for few requests, and that a run says what it left out. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Session } from '../../lib/check/session.ts';
import type { RunReport } from '../../lib/model/results.ts';
import { loadSignatures } from '../../lib/report/diagnosis/signatures.ts';
import { isPartial } from '../../lib/report/words.ts';
import { chooseFor, withinBudgetOf } from '../../lib/run/budget.ts';
import { loadPlan } from '../../lib/run/plan.ts';
import { conform, temporaryFolder } from '../lib/conform.ts';
import { checksOf, referenceInput } from '../plan/record.ts';

const deviations = (...of: string[][]) =>
  of.map((checks) => ({ found: Object.fromEntries(checks.map((id) => [id, ''])) }));

describe('the choice', () => {
  const prices = {
    shared: [10],
    checks: {
      DEAR: { own: 20, shared: [] },
      ONE: { own: 1, shared: [0] },
      OTHER: { own: 2, shared: [0] },
      IDLE: { own: 1, shared: [] },
    },
  };
  const all = Object.keys(prices.checks);
  const known = deviations(['DEAR', 'ONE'], ['DEAR', 'OTHER'], ['DEAR'], ['ONE']);

  test('chooses what catches most for each request that it adds', () => {
    // ONE makes what OTHER needs as well, which is then the cheaper way to the second deviation.
    expect(chooseFor(13, all, prices, known)).toEqual({ checks: ['ONE', 'OTHER'], cost: 13, caught: 3 });
  });

  test('never costs more than the budget, and uses what is left', () => {
    expect(chooseFor(12, all, prices, known)).toEqual({ checks: ['ONE', 'IDLE'], cost: 12, caught: 2 });
    expect(chooseFor(0, all, prices, known)).toEqual({ checks: [], cost: 0, caught: 0 });
  });

  test('is everything where the budget is large enough', () => {
    expect(chooseFor(1_000, all, prices, known)).toMatchObject({ cost: 34, caught: 4 });
  });

  test('leaves out checks of which nothing is known', () => {
    expect(chooseFor(1_000, ['NEW', 'IDLE'], prices, known).checks).toEqual(['IDLE']);
  });
});

describe('on the reference', () => {
  test.each([50, 150, 500])('a budget of %i is kept, and everything chosen holds', async (requests) => {
    const suites = ['oauth-token', 'address-book'];
    const { target, options, transport } = await referenceInput('shipping', suites);
    const chosen = withinBudgetOf(requests, target, options, loadSignatures);
    const session = await Session.open({ runId: randomUUID(), target, options: chosen.options, transport });
    const verdicts: Record<string, number> = {};
    for (const check of await shippingChecks) {
      const { verdict } = await check.run(session);
      verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
    }
    await session.close();
    expect(session.http.recorder.count).toBeLessThanOrEqual(requests);
    expect(verdicts).not.toHaveProperty('failed');
    expect(verdicts).not.toHaveProperty('blocked');
    expect(verdicts.skipped).toBe(chosen.budget.of - chosen.budget.checks);
  });
});

/** Defined once: a module is loaded once. */
const shippingChecks = checksOf(['oauth-token', 'address-book']);

test('a larger budget catches no less', () => {
  const { checks, prices } = loadPlan();
  const known = loadSignatures();
  const caught = [50, 150, 500, 2_000].map((n) => chooseFor(n, Object.keys(checks), prices, known).caught);
  expect(caught).toEqual([...caught].sort((a, b) => a - b));
  expect(caught[1]).toBeGreaterThan(known.length / 5);
});

test('a run with a budget is partial, and says what it left out', { timeout: 60_000 }, async () => {
  const out = join(temporaryFolder(), 'reports');
  const { code, stdout } = await conform([
    'run',
    '--suite',
    'agent-registration',
    '--budget',
    '30',
    '--out',
    out,
  ]);
  const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as RunReport;
  expect(code, stdout).toBe(0);
  expect(isPartial(report)).toBe(true);
  expect(report.requests).toBeLessThanOrEqual(30);
  expect(report.budget).toMatchObject({
    requests: 30,
    checks: report.totals.checks.passed + report.totals.checks.observed,
  });
  const said =
    /a budget of 30 requests pays for [\d,]+ of [\d,]+ checks, which catch [\d,]+ of [\d,]+ known deviations/;
  expect(stdout).toMatch(said);
  expect(stdout).toContain('no violation found, in part');
  expect(readFileSync(join(out, 'summary.md'), 'utf8')).toMatch(said);
  expect(readFileSync(join(out, 'index.html'), 'utf8')).toMatch(said);
});

test('--budget and --shard are not for one run', async () => {
  const { code, stderr } = await conform(['run', '--budget', '30', '--shard', '1/2']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--budget')]);
});
