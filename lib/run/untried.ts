/** Which settings the preflight need not try, since none of the checks of a run uses them. */
import { allServices } from '../check/services.ts';
import { type ResolvedTarget, type RunOptions, serviceConfig } from '../config/types.ts';
import { type KnownDeviations, withinBudgetOf } from './budget.ts';
import { type Foreseen, foresee, keysOf, loadPlan, type PlanTable, preflightCost } from './plan.ts';

/** The most of a budget that the preflight is expected to take, where its checks are chosen before it. */
const MOST_OF_BUDGET = 0.5;

/**
 * Returns the keys that the preflight leaves untried: those that no chosen check uses, and a service as a whole, by
 * its name, where none of its checks is chosen. Where a budget chooses the checks, those count that it would pay for
 * after the preflight.
 * @param known returns the deviations that the proof published
 */
export function leftUntried(
  target: ResolvedTarget,
  options: RunOptions,
  known: KnownDeviations,
): readonly string[] {
  const table = loadPlan();
  const planned = new Set(Object.values(table.checks).map(({ suite }) => suite));
  // Nothing is known of the checks of plugins, nor of those that are newer than the table.
  if (options.suites.some((suite) => !planned.has(suite))) return [];
  if (options.chosen?.some((id) => table.checks[id] === undefined)) return [];
  const isKnown = (pattern: string) => foresee(table, target, { ...options, grep: [pattern] }).length > 0;
  if (!options.grep.every(isKnown)) return [];
  const going = goingIn(table, target, options, known);
  const needed = new Set(going.flatMap((check) => keysOf(table, check)));
  const asked = allServices().filter(({ suites }) => suites.some((suite) => options.suites.includes(suite)));
  const isUsed = ({ suites }: { suites: readonly string[] }) =>
    going.some(({ suite }) => suites.includes(suite));
  const used = asked.filter(isUsed);
  const isPaced = used.some(({ name, pace }) => {
    const config = serviceConfig(target, name);
    return config !== undefined && pace?.(config) !== undefined;
  });
  return [
    ...asked.filter((service) => !isUsed(service)).map(({ name }) => name),
    ...used.flatMap(({ usedWhereNeeded = [] }) => usedWhereNeeded).filter((key) => !needed.has(key)),
    // Where a service is paced, the hook lets the time between its requests pass.
    ...(isPaced || needed.has(CLOCK) ? [] : [CLOCK]),
  ];
}

const CLOCK = 'hooks.clock';

/** The checks that the run is going to have, as far as can be told before the preflight. */
function goingIn(
  table: PlanTable,
  target: ResolvedTarget,
  options: RunOptions,
  known: KnownDeviations,
): Foreseen[] {
  const { budget, chosen } = options;
  const spent = Math.min(preflightCost(table, target, options), (budget ?? 0) * MOST_OF_BUDGET);
  const paid =
    budget === undefined
      ? undefined
      : withinBudgetOf(budget, target, options, known, { spent }).choice.checks;
  return foresee(table, target, options).filter(
    ({ id, missing }) =>
      missing.every(isDispensable) && (chosen?.includes(id) ?? true) && (paid?.includes(id) ?? true),
  );
}

/**
 * Whether a run may do without a key that the plan found a check to need: with fewer attempts than all there is room for
 * some, and where the clock cannot be moved it may be waited for.
 */
const isDispensable = (key: string): boolean => key === CLOCK || key.includes('=');

/** Returns the target without these keys, given as `service.key`, or as `service` for all of it. */
export function without(target: ResolvedTarget, keys: readonly string[]): ResolvedTarget {
  const left = { ...target } as Record<string, unknown>;
  for (const key of keys) {
    const [part = '', name] = key.split('.');
    const { [name ?? '']: _, ...rest } = (left[part] ?? {}) as Record<string, unknown>;
    if (name === undefined) delete left[part];
    else if (left[part] !== undefined) left[part] = rest;
  }
  return left as unknown as ResolvedTarget;
}
