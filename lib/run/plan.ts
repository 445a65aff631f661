/**
 * What a run would do, known without asking the target: from a table that was recorded on the reference, where each key
 * of the configuration was left out in turn (`suites/plan.json`; written by tests/plan).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ResolvedTarget, RunOptions } from '../config/types.ts';
import { allCatalogues } from '../model/catalogue/registry.ts';
import { packageRoot } from '../model/paths.ts';
import { matches } from '../model/pattern.ts';
import type { Effect } from '../model/results.ts';
import type { Price, Prices } from './prices.ts';

/** The recorded table; numbers point into its lists. */
export interface PlanTable {
  /** Keys of a target that a check may need: `hooks.seed`; `|` between those of which one is enough, `=` before the least value. */
  keys: string[];
  /** `GET /orgs/{org}/actions/cache/usage`, with the suite's service before it. */
  endpoints: string[];
  checks: Record<string, PlannedCheck>;
  /** What each check costs, by itself and beside others. */
  prices: Prices;
}

/** One check, as it ran on the reference. */
export interface PlannedCheck {
  suite: string;
  requirements: string[];
  effects: Effect;
  /** Indices of keys without any of which it is skipped. */
  needs: number[];
  /** Endpoint and how many requests it sent there; what several checks share belongs to the first of them. */
  sends: [endpoint: number, count: number][];
}

/** Where the table is; kept in git and in the package. */
export const PLAN = join('suites', 'plan.json');

/**
 * The file: suite, check, and of that the effects, needs, sends (flat), price (its own, and the places of what is
 * shared), and the requirements besides the first.
 */
interface WrittenTable extends Omit<PlanTable, 'checks' | 'prices'> {
  /** What is shared costs. */
  shared: number[];
  checks: Record<string, Record<string, [Effect, number[], number[], number[], ...string[]]>>;
}

/** The table; nothing is known of suites of plugins. */
export function loadPlan(): PlanTable {
  const file = join(packageRoot(), PLAN);
  if (!existsSync(file)) return { keys: [], endpoints: [], checks: {}, prices: { shared: [], checks: {} } };
  const { checks: bySuite, shared, ...lists } = JSON.parse(readFileSync(file, 'utf8')) as WrittenTable;
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
  return { ...lists, checks, prices: { shared, checks: prices } };
}

/** The table as it is kept: a check a line, so that a change of one is a change of one line. */
export function writtenPlan({ keys, endpoints, checks, prices }: PlanTable): string {
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
  return `{\n"keys":${JSON.stringify(keys)},\n"endpoints":${JSON.stringify(endpoints)},\n"shared":${JSON.stringify(prices.shared)},\n"checks":{\n${suites.join(',\n')}\n}\n}\n`;
}

/** The requirement that a check is named by. */
const firstOf = (id: string): string => id.split('/')[0] as string;

/** A check that a run would have, and what it lacks. */
export interface Foreseen extends PlannedCheck {
  id: string;
  /** Keys that are missing, and `--effects …`: it would be skipped for want of them. */
  missing: string[];
}

/** The checks of a run with these options, in the order of the table. */
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

/** Whether a target has a key: one of those between `|`, and at least the value behind `=`. */
function hasKey(target: ResolvedTarget, key: string): boolean {
  return key.split('|').some((one) => {
    const [path = '', least] = one.split('=');
    const value = path
      .split('.')
      .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], target);
    return least === undefined ? value !== undefined : typeof value === 'number' && value >= Number(least);
  });
}

/** Keys that are missing together, and how many requirements they would bring. */
export interface Unlocking {
  keys: string[];
  /** Requirements that are exercised with them, and not without, given those before it in the list. */
  gained: number;
}

/** How many of the required entries a run would exercise, as its report counts them, and what would bring the rest, the most for each key first. */
export function coverageOf(foreseen: readonly Foreseen[], suites: readonly string[]) {
  const counted = new Set(
    [...allCatalogues().values()]
      .filter(({ suite }) => suites.includes(suite))
      .flatMap(({ requirements }) => requirements)
      .filter(({ level }) => level === 'required')
      .map(({ id }) => id),
  );
  /** For each requirement, what each of its checks lacks: one of them is enough. */
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
    // With these set, what others lack is less.
    left = without(best.keys).filter((ways) => !isOpen(ways));
  }
  return found;
}
