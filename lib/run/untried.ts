/** Which settings the preflight need not try, since none of the checks of a run uses them. */
import { allServices } from '../check/services.ts';
import type { ResolvedTarget, RunOptions } from '../config/types.ts';
import { type KnownDeviations, withinBudgetOf } from './budget.ts';
import { foresee, keysOf, loadPlan, preflightCost } from './plan.ts';

/**
 * Returns the keys that the preflight leaves untried: those that only some checks use, of which none is chosen.
 * Where a budget chooses the checks, those count that it would pay for after a preflight of everything.
 * @param known returns the deviations that the proof published
 */
export function leftUntried(
  target: ResolvedTarget,
  options: RunOptions,
  known: KnownDeviations,
): readonly string[] {
  const table = loadPlan();
  const planned = new Set(Object.values(table.checks).map(({ suite }) => suite));
  // Nothing is known of the checks of plugins.
  if (options.suites.some((suite) => !planned.has(suite))) return [];
  const { budget } = options;
  const paid =
    budget === undefined
      ? options.chosen
      : withinBudgetOf(budget, target, options, known, { spent: preflightCost(table, target, options) })
          .choice.checks;
  const going = foresee(table, target, options).filter(
    ({ id, missing }) => missing.length === 0 && (paid?.includes(id) ?? true),
  );
  const needed = new Set(going.flatMap((check) => keysOf(table, check)));
  return allServices()
    .filter(({ suites }) => suites.some((suite) => options.suites.includes(suite)))
    .flatMap(({ usedWhereNeeded = [] }) => usedWhereNeeded)
    .filter((key) => !needed.has(key));
}

/** Returns the target without these keys, given as `service.key`. */
export function without(target: ResolvedTarget, keys: readonly string[]): ResolvedTarget {
  const left = { ...target } as Record<string, unknown>;
  for (const key of keys) {
    const [service = '', name = ''] = key.split('.');
    const { [name]: _, ...rest } = (left[service] ?? {}) as Record<string, unknown>;
    if (left[service] !== undefined) left[service] = rest;
  }
  return left as unknown as ResolvedTarget;
}
