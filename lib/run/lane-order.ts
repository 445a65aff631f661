/** The order in which checks get their turn. */
import { randomFrom } from '../check/data.ts';
import type { DefinedCheck } from '../check/suite.ts';
import { CLOCK, PHASES, type Touches, type Use } from '../check/touches.ts';
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
 * their phase, first by what they do to the clock, so that few have to wait for it, and then so that those
 * that each need the same thing alone begin early: these take the longest of all, however many lanes there are.
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
  const queues = queuesOf(checks);
  // What the `late` phase needs alone it gets only after all others. The sooner it is free, the sooner the run ends.
  const turn = (check: C) =>
    check.phase === 'late' && used(check, 'alone').length > 0 ? PHASES.indexOf('silences') : phase(check);
  const places = new Map(
    checks.map((check) => {
      const [first, ...place] = placeOf(check, queues);
      return [check, [turn(check), first as number, ...place, -costOf(check)]];
    }),
  );
  return [...checks].sort((a, b) => compare(places.get(a) as number[], places.get(b) as number[]));
}

/**
 * Sorts checks that `inOrder` has sorted anew for a target whose clock cannot be moved: none has to wait for it there,
 * and others run beside those that let real time pass.
 */
export function inOrderOfRealTime<C extends Planned>(
  checks: readonly C[],
  options: LaneOptions,
): readonly C[] {
  if (options.order === 'random') return checks;
  const alike = checks.map((check) => {
    const { [CLOCK]: use, ...others } = check.touches;
    const touches: Touches =
      use === 'move' || use === 'alone' ? { ...others, [CLOCK]: 'change' } : check.touches;
    return { ...check, check, touches };
  });
  return inOrder(alike, options).map(({ check }) => check);
}

/** Compares two lists of numbers by the first ones that differ. */
function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((n, i) => n !== other[i]);
  return at === -1 ? 0 : (one[at] as number) - (other[at] as number);
}

/** Returns the names of what a check uses in one of these ways, besides the clock. */
export function used({ touches }: Pick<Planned, 'touches'>, ...uses: Use[]): string[] {
  return Object.keys(touches).filter((name) => name !== CLOCK && uses.includes(touches[name] as Use));
}

/** The things that some checks need alone. */
interface Queues {
  /** What all checks cost that use each thing, the costliest first. */
  costs: ReadonlyMap<string, number>;
  /** Those that are needed alone at clock rank 0. */
  first: ReadonlySet<string>;
  /** Those that other checks change side by side at clock rank 1, the costliest first. */
  shared: readonly string[];
}

function queuesOf(checks: readonly Planned[]): Queues {
  const costs = new Map(checks.flatMap((check) => used(check, 'alone')).map((name) => [name, 0]));
  for (const check of checks)
    for (const name of used(check, 'alone', 'still', 'change'))
      if (costs.has(name)) costs.set(name, (costs.get(name) as number) + costOf(check));
  const sorted = [...costs].sort(([, a], [, b]) => b - a);
  const calm = checks.filter((check) => clockRank(check) === 0);
  const changing = new Set(
    checks.filter((check) => clockRank(check) === 1).flatMap((check) => used(check, 'change')),
  );
  return {
    costs: new Map(sorted),
    first: new Set(calm.flatMap((check) => used(check, 'alone'))),
    shared: sorted.map(([name]) => name).filter((name) => changing.has(name)),
  };
}

/**
 * Returns the numbers by which a check is sorted within its phase. At clock rank 0, those that only look at a
 * thing go before those that need it alone, since they are soon done side by side. Later on, a check that needs
 * a thing alone could not begin as long as there are others left that change it. So those that need alone
 * what costs the most come first; meanwhile the other lanes run those that share the next costliest, and those
 * that need that alone follow.
 */
function placeOf(check: Planned, { costs, first, shared }: Queues): number[] {
  const alone = used(check, 'alone');
  const rank = clockRank(check);
  const placed = (...place: number[]) => [rank, ...[...place, 0, 0, 0].slice(0, 4), -alone.length];
  const costliest = (names: readonly string[]) => Math.max(0, ...names.map((name) => costs.get(name) ?? 0));
  const use = check.touches[CLOCK];
  if (rank === 0) {
    // One after the other, they take as long as the rest of that rank.
    if (use === 'measure') return placed(0);
    const names = used(check, 'alone', 'still', 'change');
    // Those that use nothing shared may run beside almost all others, and fill the lanes that these leave free. Those
    // to which not even the clock matters do so to the last.
    if (names.length === 0 && check.phase !== 'foundation') return [use ? 1 : 4, 5, 0, 0, 0, 0];
    const here = costliest(names.filter((name) => first.has(name)));
    return placed(1, -here, alone.length > 0 ? 1 : 0, -costliest(names));
  }
  const queue = costliest(alone);
  const [most, ...others] = shared;
  if (!shared.some((name) => check.touches[name])) return placed(queue > 0 || use === 'pace' ? 0 : 5);
  if (most !== undefined && used(check, 'alone', 'still').includes(most))
    // Time passes for all that wait for it at once, so that those that share begin first there.
    return placed(use === 'move' ? 6 : 1, alone.includes(most) ? 0 : 1);
  const next = others.findIndex((name) => check.touches[name]);
  if (next !== -1) return placed(2, next, alone.includes(others[next] as string) ? 1 : 0, -queue);
  return placed(queue > 0 ? 3 : 4, -queue);
}

/**
 * A rank by use of the clock. Checks that measure time come first, and with them those that may run beside
 * them: those that need nothing alone, and those to which the clock does not matter; then those that most
 * others may run beside; last those that move the clock. Among the foundations it is the other way around:
 * while others use the clock one that moves it waits, and all of its suite for it.
 */
function clockRank(check: Planned): number {
  const use = check.touches[CLOCK];
  const needsAlone = used(check, 'alone').length > 0;
  const isCalm = use === 'measure' || use === undefined || (use === 'still' && !needsAlone);
  const rank = use === 'move' ? 3 : use === 'alone' ? 2 : isCalm ? 0 : 1;
  return check.phase === 'foundation' ? -rank : rank;
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
