import { randomInt } from 'node:crypto';
import type { Effect } from '../model/results.ts';
import { UsageError } from '../model/usage-error.ts';
import { suggestion } from './nearest.ts';
import type { ResolvedTarget, RunConfig, RunOptions } from './types.ts';

/** The values of the flags of `conform run`; all optional. */
export interface RunFlags {
  suite?: string[];
  grep?: string[];
  effects?: string;
  maxWait?: string;
  settle?: string;
  timeout?: string;
  seed?: string;
  strict?: boolean;
  concurrency?: string;
  order?: 'planned' | 'random';
  budget?: string;
  maxRequests?: string;
  maxTime?: string;
}

const EFFECTS: Effect[] = ['read', 'write', 'settings'];

/**
 * Returns the options of a run. Flags take precedence over the file, and the file over defaults.
 * @param suites names of the suites that can judge the target
 * @param at returns where a key of `run` stands in the file, for messages
 * @throws UsageError for an unknown suite or effect, or for an invalid number
 */
export function resolveOptions(
  flags: RunFlags,
  run: RunConfig,
  target: ResolvedTarget,
  suites: readonly string[],
  at: (key: keyof RunConfig) => string = (key) => `run.${key}`,
): RunOptions {
  const chosen = flags.suite ?? run.suites ?? [...suites];
  for (const name of chosen) {
    if (!suites.includes(name))
      throw new UsageError(
        `${flags.suite ? '--suite' : at('suites')}: no suite \`${name}\`${suggestion(name, suites)}`,
      );
  }
  const effects = flags.effects?.split(',') ?? run.effects ?? (target.embedded ? EFFECTS : ['read', 'write']);
  for (const name of effects) {
    if (!EFFECTS.includes(name as Effect))
      throw new UsageError(`--effects: no effect \`${name}\`; there are ${EFFECTS.join(', ')}`);
  }
  return {
    suites: suites.filter((name) => chosen.includes(name)),
    grep: flags.grep ?? (run.grep ? [run.grep] : []),
    effects: effects as Effect[],
    maxWaitMs: number('--max-wait', flags.maxWait, run.maxWait ?? 10) * 1000,
    timeoutMs: timeout(flags.timeout, run.timeout ?? 10) * 1000,
    ...settling(flags, run),
    seed: Math.floor(number('--seed', flags.seed, run.seed ?? randomInt(1, 2 ** 31))),
    strict: flags.strict ?? run.strict ?? false,
    ...spending(flags, run),
  };
}

function settling({ settle }: RunFlags, run: RunConfig): Pick<RunOptions, 'settleMs'> {
  const seconds = number('--settle', settle, run.settle ?? 0);
  return seconds === 0 ? {} : { settleMs: seconds * 1000 };
}

/**
 * Validates the flags by themselves, before a configuration is read, so that a mistake in them is reported
 * first.
 * @throws UsageError for an unknown effect or an invalid number
 */
export function requireValidFlags({ suite: _, ...flags }: RunFlags): void {
  resolveOptions(flags, {}, { name: '', embedded: false, hooks: {} }, []);
}

/**
 * Returns the order of the checks, how many run at once, and how much they may send and take; what neither a
 * flag nor the file sets is left out.
 */
function spending(flags: RunFlags, run: RunConfig): Partial<RunOptions> {
  const order = flags.order ?? run.order;
  const concurrency = atLeastOne('--concurrency', flags.concurrency, run.concurrency);
  const budget = atLeastOne('--budget', flags.budget, run.budget);
  const maxRequests = atLeastOne('--max-requests', flags.maxRequests, run.maxRequests);
  const maxTime = atLeastOne('--max-time', flags.maxTime, run.maxTime);
  return {
    ...(order && { order }),
    ...(concurrency !== undefined && { concurrency }),
    ...(budget !== undefined && { budget }),
    ...(maxRequests !== undefined && { maxRequests }),
    ...(maxTime !== undefined && { maxTimeMs: maxTime * 1000 }),
  };
}

function atLeastOne(
  name: string,
  flag: string | undefined,
  fallback: number | undefined,
): number | undefined {
  const value = flag === undefined ? fallback : Number(flag);
  if (value === undefined || (Number.isInteger(value) && value >= 1)) return value;
  throw new UsageError(`${name} ${flag}: not a whole number of 1 or more`);
}

/** Returns the timeout in seconds. It refuses 0, with which every request would fail. */
function timeout(flag: string | undefined, fallback: number): number {
  const seconds = number('--timeout', flag, fallback);
  if (seconds === 0) throw new UsageError('--timeout 0: must be greater than 0');
  return seconds;
}

function number(name: string, flag: string | undefined, fallback: number): number {
  if (flag === undefined) return fallback;
  const value = Number(flag);
  if (flag.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new UsageError(`${name} ${flag}: not a number of 0 or more`);
  return value;
}
