/**
 * `--budget N` chooses the checks that catch the most known deviations with N requests. It uses what the
 * proof published (`deviations/signatures.json`: which checks fail on which deviation) and what checks cost
 * on the reference.
 */
import type { ResolvedTarget, RunOptions } from '../config/types.ts';
import type { BudgetResult } from '../model/results.ts';
import { UsageError } from '../model/usage-error.ts';
import { foresee, loadPlan, type PlanTable, usesUntried } from './plan.ts';
import { Bill, type Prices } from './prices.ts';

/** A deviation that the proof published. The keys of `found` are the ids of the checks that fail on it. */
export interface KnownDeviation {
  found: Readonly<Record<string, unknown>>;
}

/** The chosen checks, what they cost and what they catch. */
export interface Choice {
  /** Ids of the checks in the order in which they were chosen, so the most deviations per request first. */
  checks: string[];
  /** Requests that they cost on the reference. */
  cost: number;
  /** How many of the known deviations they catch. */
  caught: number;
}

/**
 * Chooses checks one after the other: each time the one that catches, for each request that it adds, the most
 * deviations that no chosen check catches yet. Checks that catch nothing more follow, the cheapest first, as
 * long as requests are left.
 * @param requests how many requests may be spent
 * @param among ids of the checks to choose from; those without a known price are never chosen
 */
export function chooseFor(
  requests: number,
  among: readonly string[],
  prices: Prices,
  deviations: readonly KnownDeviation[],
): Choice {
  const bill = new Bill(prices);
  // A check that sends nothing judges what others are answered, so that it is worth something only where all of them run.
  const isJudge = (id: string): boolean => {
    const price = prices.checks[id];
    return Number.isFinite(requests) && price?.own === 0 && price.shared.length === 0;
  };
  const priced = among.filter((id) => prices.checks[id] && !isJudge(id));
  const left = new Map(priced.map((id) => [id, new Set<number>()]));
  deviations.forEach(({ found }, i) => {
    for (const id of Object.keys(found)) left.get(id)?.add(i);
  });
  const checks: string[] = [];
  let caught = 0;
  for (;;) {
    const best = bestOf(left, bill, requests - bill.total);
    if (best === undefined) return { checks, cost: bill.total, caught };
    bill.add(best);
    checks.push(best);
    const gained = left.get(best) as Set<number>;
    caught += gained.size;
    left.delete(best);
    for (const i of gained) for (const id of Object.keys(deviations[i]!.found)) left.get(id)?.delete(i);
  }
}

/** The affordable check that catches most for each request; between equals the cheapest, then the first. */
function bestOf(
  left: ReadonlyMap<string, ReadonlySet<number>>,
  bill: Bill,
  most: number,
): string | undefined {
  let best: { id: string; worth: number; cost: number } | undefined;
  for (const [id, { size }] of left) {
    const cost = bill.costOf(id);
    if (cost > most) continue;
    // All requests of such a check are paid for by others, so it is taken even if it catches nothing more.
    const worth = cost === 0 ? Number.POSITIVE_INFINITY : size / cost;
    if (!best || worth > best.worth || (worth === best.worth && cost < best.cost)) best = { id, worth, cost };
  }
  return best?.id;
}

/** Returns the deviations that the proof published. */
export type KnownDeviations = () => readonly KnownDeviation[];

/** What the preflight did before a choice. */
export interface BeforeChoice {
  /** How many requests it sent: they count towards the budget. */
  spent?: number;
  /** What it did not try, keys and names of services: no check that uses it is chosen. */
  untried?: readonly string[];
}

/**
 * Narrows a run down to what its budget pays for.
 * @returns the options with the chosen checks, and what the report says of the choice
 * @throws UsageError where nothing is known of the checks of the chosen suites
 */
export function withinBudgetOf(
  requests: number,
  target: ResolvedTarget,
  options: RunOptions,
  known: KnownDeviations,
  { spent = 0, untried = [] }: BeforeChoice = {},
): { options: RunOptions; budget: BudgetResult; choice: Choice } {
  const plan = loadPlan();
  const foreseen = foresee(plan, target, options);
  if (foreseen.length === 0)
    throw new UsageError(
      `--budget: nothing is known of what the checks of ${options.suites.join(', ')} cost and catch`,
    );
  const going = foreseen.filter(({ missing }) => missing.length === 0).map(({ id }) => id);
  const deviations = deviationsOf(
    known(),
    foreseen.map(({ id }) => id),
  );
  const left = Math.max(0, requests - spent);
  const among = going.filter((id) => !usesUntried(plan, plan.checks[id]!, untried));
  const choice = chooseFor(left, among, plan.prices, deviations);
  return {
    options: { ...options, paid: { budget: requests, left, checks: choice.checks } },
    budget: {
      requests,
      checks: choice.checks.length,
      of: foreseen.length,
      deviations: {
        known: deviations.length,
        caught: choice.caught,
        catchable: deviationsOf(deviations, going).length,
      },
    },
    choice,
  };
}

/** The deviations on which at least one of these checks fails. */
function deviationsOf(known: readonly KnownDeviation[], checks: readonly string[]): KnownDeviation[] {
  const own = new Set(checks);
  return known.filter(({ found }) => Object.keys(found).some((id) => own.has(id)));
}

/** One row of the curve: what a budget of so many requests catches. */
export interface CurvePoint {
  requests: number;
  checks: number;
  caught: number;
}

/**
 * Returns what each of these budgets catches, over all suites. An infinite one stands for a run without a
 * budget. See `docs/proof.md`.
 */
export function curveOf(
  { checks, prices }: PlanTable,
  known: readonly KnownDeviation[],
  budgets: readonly number[],
): CurvePoint[] {
  return budgets.map((requests) => {
    const choice = chooseFor(requests, Object.keys(checks), prices, known);
    return { requests, checks: choice.checks.length, caught: choice.caught };
  });
}
