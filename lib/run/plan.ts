/**
 * Foresees what a run would do without asking the target. It uses a table that was recorded on the reference,
 * where each key of the configuration was left out in turn (`suites/plan.json`; written by tests/plan).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allServices, serviceOf } from '../check/services.ts';
import { type ResolvedTarget, type RunOptions, serviceConfig } from '../config/types.ts';
import { allCatalogues } from '../model/catalogue/registry.ts';
import { packageRoot } from '../model/paths.ts';
import { matches } from '../model/pattern.ts';
import type { Effect } from '../model/results.ts';
import type { Price, Prices } from './prices.ts';

/** The recorded table. Its numbers are indices into its lists. */
export interface PlanTable {
  /**
   * Keys of a target that a check may need, such as `hooks.seed`. `|` separates keys of which one is enough;
   * `=` precedes the least value. `?` follows a key that a check uses where it is there, and does not need.
   */
  keys: string[];
  /** Such as `GET /orgs/{org}/actions/cache/usage`, preceded by the suite's service. */
  endpoints: string[];
  checks: Record<string, PlannedCheck>;
  /** What each check costs by itself, and what it shares with others. */
  prices: Prices;
  /** How many requests the preflight of each service sends where everything is configured, calls of the clock hook left out. */
  preflight: Record<string, number>;
}

/** One check, as it ran on the reference. */
export interface PlannedCheck {
  suite: string;
  requirements: string[];
  effects: Effect;
  /** Indices of the keys that it needs, where one of them is missing, it is skipped; and of those that it uses. */
  needs: number[];
  /**
   * The index of an endpoint, and how many requests it sent there. Requests that several checks share count
   * for the first.
   */
  sends: [endpoint: number, count: number][];
}

/** Where the table is; kept in git and in the package. */
export const PLAN = join('suites', 'plan.json');

/**
 * The format of the file: by suite and id of a check its effects, needs, sends (flat), price (its own cost,
 * then indices into `shared`), and the requirements besides the one that the id names.
 */
interface WrittenTable extends Omit<PlanTable, 'checks' | 'prices'> {
  /** The costs of what several checks share, in requests. */
  shared: number[];
  checks: Record<string, Record<string, [Effect, number[], number[], number[], ...string[]]>>;
}

/** Reads the table; an empty one where there is no file. It does not cover the suites of plugins. */
export function loadPlan(): PlanTable {
  const file = join(packageRoot(), PLAN);
  if (!existsSync(file))
    return { keys: [], endpoints: [], checks: {}, prices: { shared: [], checks: {} }, preflight: {} };
  const {
    checks: bySuite,
    shared,
    preflight = {},
    ...lists
  } = JSON.parse(readFileSync(file, 'utf8')) as WrittenTable;
  const checks: PlanTable['checks'] = {};
  const prices: Record<string, Price> = {};
  for (const [suite, entries] of Object.entries(bySuite)) {
    for (const [id, [effects, needs, flat, [own = 0, ...uses], ...further]] of Object.entries(entries)) {
      const sends: PlannedCheck['sends'] = [];
      for (let i = 0; i + 1 < flat.length; i += 2) sends.push([flat[i] as number, flat[i + 1] as number]);
      checks[id] = { suite, requirements: [firstOf(id), ...further], effects, needs, sends };
      prices[id] = { own, shared: uses };
    }
  }
  return { ...lists, preflight, checks, prices: { shared, checks: prices } };
}

/**
 * Returns the text of the file. Each check has one line, so
 * that a change of one check is a change of one line.
 */
export function writtenPlan({ keys, endpoints, checks, prices, preflight }: PlanTable): string {
  const suites = [...new Set(Object.values(checks).map(({ suite }) => suite))].map((name) => {
    const lines = Object.entries(checks)
      .filter(([, { suite }]) => suite === name)
      .map(([id, { effects, needs, sends, requirements }]) => {
        const { own, shared } = prices.checks[id] ?? { own: 0, shared: [] };
        const further = requirements.filter((each) => each !== firstOf(id));
        const entry = [effects, needs, sends.flat(), [own, ...shared], ...further];
        return `${JSON.stringify(id)}:${JSON.stringify(entry)}`;
      });
    return `${JSON.stringify(name)}:{\n${lines.join(',\n')}\n}`;
  });
  return `{\n"keys":${JSON.stringify(keys)},\n"endpoints":${JSON.stringify(endpoints)},\n"preflight":${JSON.stringify(preflight)},\n"shared":${JSON.stringify(prices.shared)},\n"checks":{\n${suites.join(',\n')}\n}\n}\n`;
}

/** How many calls of its hook it takes to see whether the clock moves. */
const CLOCK_CALLS = 4;

/**
 * Returns about how many requests the preflight sends at most: where something is not configured, it is fewer. Where
 * a clock hook lets the time between requests pass, each is followed by a call of the hook.
 */
export function preflightCost(table: PlanTable, target: ResolvedTarget, { suites }: RunOptions): number {
  const clock = target.hooks.clock !== undefined;
  const services = allServices().map(({ name, suites: own, pace }) => {
    const config = serviceConfig(target, name);
    if (config === undefined || !own.some((suite) => suites.includes(suite))) return 0;
    const isPaced = clock && pace?.(config) !== undefined;
    return (table.preflight[name] ?? 0) * (isPaced ? 2 : 1);
  });
  return services.reduce((sum, each) => sum + each, clock ? CLOCK_CALLS : 0);
}

/** The requirement that the id of a check names. */
const firstOf = (id: string): string => id.split('/')[0] as string;

/** Returns the keys that a check needs or uses, as `service.key`: of alternatives, all of them. */
export function keysOf({ keys }: Pick<PlanTable, 'keys'>, { needs }: Pick<PlannedCheck, 'needs'>): string[] {
  return needs.flatMap((i) => (keys[i] as string).split('|').map((key) => key.split(/[=?]/, 1)[0] as string));
}

/** Whether a check uses something that the preflight did not try: one of these keys, or the service of this name. */
export function usesUntried(table: PlanTable, check: PlannedCheck, untried: readonly string[]): boolean {
  return [serviceOf(check.suite)?.name ?? '', ...keysOf(table, check)].some((key) => untried.includes(key));
}

/** A check that a run would have, with what it lacks. */
export interface Foreseen extends PlannedCheck {
  id: string;
  /**
   * Missing keys, and `--effects …` where its effect is off. With any of these, the check would be skipped.
   */
  missing: string[];
}

/** Returns the checks that a run with these options would have, in the order of the table. */
export function foresee(table: PlanTable, target: ResolvedTarget, options: RunOptions): Foreseen[] {
  const has = new Map(table.keys.map((key) => [key, hasKey(target, key)]));
  return Object.entries(table.checks)
    .filter(([id, { suite, requirements }]) => {
      const names = [id, ...requirements];
      return options.suites.includes(suite) && names.some((name) => matches(name, options.grep));
    })
    .map(([id, check]) => {
      const keys = check.needs.map((i) => table.keys[i] as string).filter((key) => !has.get(key));
      const effect = options.effects.includes(check.effects) ? [] : [`--effects ${check.effects}`];
      return { ...check, id, missing: [...keys, ...effect] };
    });
}

/**
 * Whether a target has a key of the table, or none is needed: one of the
 * alternatives between `|`, with at least the value after `=`.
 */
function hasKey(target: ResolvedTarget, key: string): boolean {
  if (key.endsWith('?')) return true;
  return key.split('|').some((one) => {
    const [path = '', least] = one.split('=');
    const value = path
      .split('.')
      .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], target);
    return least === undefined ? value !== undefined : typeof value === 'number' && value >= Number(least);
  });
}

/** Keys that are missing together, and how many requirements adding them would unlock. */
export interface Unlocking {
  keys: string[];
  /** How many requirements these keys unlock, once the keys before them in the list are set. */
  gained: number;
}

/**
 * Returns how many of the required requirements a run would exercise, counted as its report does, and which
 * keys would unlock the rest, the most per key first.
 */
export function coverageOf(foreseen: readonly Foreseen[], suites: readonly string[]) {
  const counted = new Set(
    [...allCatalogues().values()]
      .filter(({ suite }) => suites.includes(suite))
      .flatMap(({ requirements }) => requirements)
      .filter(({ level }) => level === 'required')
      .map(({ id }) => id),
  );
  /** For each requirement, what each of its checks lacks. It is exercised if one of them lacks nothing. */
  const lacking = new Map<string, string[][]>();
  for (const { requirements, missing } of foreseen) {
    for (const id of requirements)
      if (counted.has(id)) lacking.set(id, [...(lacking.get(id) ?? []), missing]);
  }
  const exercised = [...lacking.values()].filter(isOpen).length;
  return { exercised, requirements: counted.size, unlocking: ranked([...lacking.values()]) };
}

const isOpen = (ways: string[][]): boolean => ways.some((missing) => missing.length === 0);

function ranked(lacking: string[][][]): Unlocking[] {
  const found: Unlocking[] = [];
  let left = lacking.filter((ways) => !isOpen(ways));
  const without = (keys: readonly string[]) =>
    left.map((ways) => ways.map((missing) => missing.filter((key) => !keys.includes(key))));
  while (left.length > 0) {
    let best: Unlocking = { keys: [], gained: 0 };
    for (const keys of new Map(
      left.flat().map((missing) => [[...missing].sort().join(), missing]),
    ).values()) {
      const gained = without(keys).filter(isOpen).length;
      if (best.gained === 0 || gained * best.keys.length > best.gained * keys.length) best = { keys, gained };
    }
    found.push(best);
    // Once these keys are set, the other checks lack less.
    left = without(best.keys).filter((ways) => !isOpen(ways));
  }
  return found;
}
