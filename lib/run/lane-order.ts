/** The order in which checks get their turn. */
import { randomFrom } from '../check/data.ts';
import type { DefinedCheck } from '../check/suite.ts';
import { CLOCK, PHASES } from '../check/touches.ts';
import { loadPlan, type PlanTable } from './plan.ts';

/** How many checks run at once, and in which order. */
export interface LaneOptions {
  /** How many checks may run at once. */
  concurrency: number;
  /**
   * `planned`: by phase, then as they are defined. `random`: by phase, then in an order drawn from the seed.
   */
  order: 'planned' | 'random';
  seed: number;
}

/** One check after the other, as planned. */
export const ONE_BY_ONE: LaneOptions = { concurrency: 1, order: 'planned', seed: 1 };

/** The properties of a check that decide when it runs. */
export type Planned = Pick<DefinedCheck, 'id' | 'phase' | 'suite' | 'touches'>;

/**
 * Sorts checks into the order in which they get their turn. Checks that run side by side are sorted, within
 * their phase, first by what they do to the clock, so that few have to wait for it, and then by the longest
 * queue: checks that each need the same thing alone take the longest of all, however many lanes there are.
 */
export function inOrder<C extends Planned>(
  checks: readonly C[],
  { order, seed, concurrency }: LaneOptions,
): C[] {
  const phase = (check: C) => PHASES.indexOf(check.phase);
  // Even in a random order the `late` phase is last: it lets expire what was made once for all checks that
  // look at it.
  if (order === 'random') return shuffled(checks, seed).sort((a, b) => phase(a) - phase(b));
  // The sort is stable: within a phase, checks stay in the order in which they are defined.
  if (concurrency === 1) return [...checks].sort((a, b) => phase(a) - phase(b));
  const queues = new Map<string, number>();
  for (const check of checks) {
    for (const name of alone(check)) queues.set(name, (queues.get(name) ?? 0) + costOf(check));
  }
  const places = new Map(
    checks.map((check) => {
      const names = alone(check);
      const queue = Math.max(0, ...names.map((name) => queues.get(name) as number));
      // A check that needs several things comes first; later it
      // would have to wait until all of them are free at once.
      return [check, [phase(check), era(check), -queue, stillness(check), -names.length, -costOf(check)]];
    }),
  );
  const placeOf = (check: C) => places.get(check) as number[];
  return [...checks].sort((a, b) => compare(placeOf(a), placeOf(b)));
}

/** Compares two lists of numbers by the first ones that differ. */
function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((n, i) => n !== other[i]);
  return at === -1 ? 0 : (one[at] as number) - (other[at] as number);
}

/** The names of what a check needs alone, besides the clock. */
function alone({ touches }: Planned): string[] {
  return Object.keys(touches).filter((name) => touches[name] === 'alone' && name !== CLOCK);
}

/**
 * A rank by use of the clock. Checks that measure time come first, and with them those that may run beside
 * them and need nothing alone; then those that most others may run beside; last those that move the clock.
 * Among the foundations it is the other way around: while others use the clock one that moves it waits, and
 * all of its suite for it.
 */
function era(check: Planned): number {
  const use = check.touches[CLOCK];
  const isCalm = use === 'measure' || (use === 'still' && alone(check).length === 0);
  const rank = use === 'move' ? 3 : use === 'alone' ? 2 : isCalm ? 0 : 1;
  return check.phase === 'foundation' ? -rank : rank;
}

/** 1 for checks that may run beside those that measure time, and are kept back for that; otherwise 0. */
function stillness({ touches: { [CLOCK]: use } }: Planned): number {
  return use === 'still' ? 1 : 0;
}

let plan: PlanTable | undefined;

/** How many requests a check is known to send, plus one. */
function costOf({ id }: Planned): number {
  plan ??= loadPlan();
  return 1 + (plan.checks[id]?.sends ?? []).reduce((sum, [, count]) => sum + count, 0);
}

function shuffled<C>(all: readonly C[], seed: number): C[] {
  const result = [...all];
  const random = randomFrom(seed);
  for (let i = result.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [result[i], result[j]] = [result[j] as C, result[i] as C];
  }
  return result;
}
