/** `--budget` chooses the checks that catch most for few requests, and a run says what it left out. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { unclear } from '../../lib/check/preflight/finding.ts';
import { type RunInput, Session } from '../../lib/check/session.ts';
import type { DefinedCheck } from '../../lib/check/suite.ts';
import type { CheckResult, RunReport, Verdict } from '../../lib/model/results.ts';
import { caseNamed, serveCase } from '../../lib/prove/serve-case.ts';
import { prepare } from '../../lib/prove/target.ts';
import { loadSignatures } from '../../lib/report/diagnosis/signatures.ts';
import { isPartial } from '../../lib/report/words.ts';
import { chooseFor, withinBudgetOf } from '../../lib/run/budget.ts';
import { Explanations, withoutUnexplained } from '../../lib/run/explanations.ts';
import { loadPlan } from '../../lib/run/plan.ts';
import { Roots, traceBlocked } from '../../lib/run/roots.ts';
import { checksOfSuites } from '../../lib/run/suite-files.ts';
import { conformHere, temporaryFolder } from '../lib/conform.ts';
import { referenceInput } from '../plan/record.ts';

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
    // What OTHER needs is already made for ONE, which makes OTHER the cheaper way to the second deviation.
    expect(chooseFor(13, all, prices, known)).toEqual({ checks: ['ONE', 'OTHER'], cost: 13, caught: 3 });
  });

  test('never costs more than the budget, and uses what is left', () => {
    expect(chooseFor(12, all, prices, known)).toEqual({ checks: ['ONE', 'IDLE'], cost: 12, caught: 2 });
    expect(chooseFor(0, all, prices, known)).toEqual({ checks: [], cost: 0, caught: 0 });
  });

  test('chooses a check that judges the answers of others only where all of them run', () => {
    const judging = { ...prices, checks: { ...prices.checks, JUDGE: { own: 0, shared: [] } } };
    const ids = Object.keys(judging.checks);
    const caught = deviations(['JUDGE'], ['ONE']);
    expect(chooseFor(12, ids, judging, caught)).toMatchObject({ checks: ['ONE', 'IDLE'], caught: 1 });
    expect(chooseFor(Number.POSITIVE_INFINITY, ids, judging, caught)).toMatchObject({ caught: 2 });
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
    const { results, budget, sent } = await runPaid(requests, await referenceInput('shipping', SHIPPING));
    const having = (verdict: string) => results.filter((each) => each.verdict === verdict);
    expect(sent).toBeLessThanOrEqual(requests);
    expect(having('failed')).toEqual([]);
    expect(having('blocked')).toEqual([]);
    expect(having('skipped')).toHaveLength(budget.of - budget.checks);
  });
});

describe('on a deviation', () => {
  test('what blocks a chosen check is looked at too, and fails', async () => {
    const { results, budget, sent } = await runPaid(150, await inputOf('shipping/create-not-stored'));
    const blocked = results.filter(({ verdict }) => verdict === 'blocked');
    const roots = new Roots(results);
    expect(blocked.length).toBeGreaterThan(10);
    expect(blocked.filter(({ blockedBy }) => !roots.explains(blockedBy ?? ''))).toEqual([]);
    expect(results.find(({ id }) => id === 'ADDR-CREATE-READABLE')?.verdict).toBe('failed');
    expect(results.filter(({ verdict }) => verdict !== 'skipped').length).toBeGreaterThan(budget.checks);
    expect(sent).toBeLessThanOrEqual(150);
  });

  test('no check begins once more was sent than the budget allows', async () => {
    // Served over a network, so that putting things back takes requests as well.
    const served = await serveCase(await caseNamed('shipping/one-token-per-client'), 'served');
    onTestFinished(() => served.close());
    const { options } = await inputOf('shipping/one-token-per-client');
    const { results, costs } = await runPaid(150, { target: served.target, options });
    const total = costs.reduce((sum, cost) => sum + cost, 0);
    expect(total).toBeGreaterThan(150);
    expect(total - (costs.filter((cost) => cost > 0).at(-1) ?? 0)).toBeLessThanOrEqual(150);
    const stopped = results.filter(({ reason }) =>
      reason?.includes('the 150 requests of this run are used up'),
    );
    expect(stopped.length).toBeGreaterThan(0);
    expect(stopped.filter(({ verdict }) => verdict !== 'skipped')).toEqual([]);
  });
});

test('a check that is blocked by what nothing explains is undecided', () => {
  const check = (id: string, verdict: Verdict, blockedBy?: string): CheckResult => ({
    ...{ id, suite: 'a', title: id, requirements: [id], verdict, verdicts: { [id]: verdict } },
    ...{ findings: [], observations: [], effects: 'read', startedAt: '', durationMs: 0 },
    ...{ exchanges: [], sharedExchanges: [], reason: 'because' },
    ...(blockedBy !== undefined && { blockedBy }),
  });
  const checks = [
    check('A', 'failed'),
    check('B', 'blocked', 'A'),
    check('C', 'passed'),
    check('D', 'blocked', 'C'),
  ];
  const [, explained, , unexplained] = withoutUnexplained(checks);
  expect(explained).toBe(checks[1]);
  expect(unexplained).toMatchObject({ verdict: 'errored', verdicts: { D: 'errored' } });
  expect(unexplained?.blockedBy).toBeUndefined();
  expect(unexplained?.reason).toMatch(/^undecided: .*--budget\nbecause$/);
  // A larger budget would not help where a setting is in the way.
  const kept = { ...check('E', 'blocked'), reason: unclear(['a.token'], 'the token is refused').message };
  expect(withoutUnexplained([kept])).toEqual([kept]);
});

const SHIPPING = ['oauth-token', 'address-book'];

/** Made once for all tests, because a module defines its checks only when it is first loaded. */
const shippingChecks = checksOfSuites(SHIPPING);

async function inputOf(deviation: string) {
  return (await prepare(SHIPPING))(await caseNamed(deviation));
}

/** Performs a run with a budget, in memory. */
async function runPaid(requests: number, { target, options, transport }: Omit<RunInput, 'runId'>) {
  const { options: narrowed, budget } = withinBudgetOf(requests, target, options, loadSignatures);
  const session = await Session.open({
    runId: randomUUID(),
    target,
    options: narrowed,
    ...(transport && { transport }),
  });
  const checks = await shippingChecks;
  const isPaid = ({ id }: DefinedCheck) => narrowed.paid?.checks.includes(id);
  const unpaid = checks.filter((check) => !isPaid(check));
  const explanations = new Explanations(unpaid);
  const results: CheckResult[] = [];
  const costs: number[] = [];
  for (const check of checks.filter(isPaid)) {
    const before = session.requests;
    results.push(await explanations.run(check, session));
    costs.push(session.requests - before);
  }
  for (const check of unpaid) results.push(await explanations.run(check, session));
  await session.close();
  return { results: traceBlocked(results), budget, costs, sent: session.http.recorder.count };
}

test('a larger budget catches no less', () => {
  const { checks, prices } = loadPlan();
  const known = loadSignatures();
  const caught = [50, 150, 500, 2_000].map((n) => chooseFor(n, Object.keys(checks), prices, known).caught);
  expect(caught).toEqual([...caught].sort((a, b) => a - b));
  expect(caught[1]).toBeGreaterThan(known.length / 5);
});

test('a run with a budget is partial, and says what it left out', { timeout: 60_000 }, async () => {
  const out = join(temporaryFolder(), 'reports');
  const { code, stdout } = await conformHere([
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
  const { code, stderr } = await conformHere(['run', '--budget', '30', '--shard', '1/2']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--budget')]);
});
