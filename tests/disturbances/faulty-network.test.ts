/**
 * The reference behind a faulty network: no requirement that holds is reported as violated. By default a
 * small sample runs, the same each time. `CONFORM_SOAK=N` runs N random disturbances, a third of them without
 * a clock hook, and prints the results by fault. `CONFORM_SOAK_SEED` chooses other ones,
 * `CONFORM_SOAK_SECONDS` limits the duration, and `CONFORM_SOAK_LOG` names a file to which each run adds a
 * line; with `CONFORM_SOAK_LANES` checks run side by side. `CONFORM_DISTURBANCE` is a single disturbance, in the
 * form of such a line, to run again.
 */
import { appendFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { randomFrom } from '../../lib/check/data.ts';
import type { DefinedCheck } from '../../lib/check/suite.ts';
import type { ResolvedTarget, RunOptions } from '../../lib/config/types.ts';
import { checksOfSuites } from '../../lib/run/suite-files.ts';
import { FAULTS, type Fault, faultyNetwork } from './faulty-network.ts';
import { runChecks } from './in-process.ts';
import { journalsFor } from './journals.ts';
import { furnish, type State, stateOf } from './living-reference.ts';
import { partOf, SUITES } from './suites.ts';

const checks = new Map<string, DefinedCheck[]>();

beforeAll(async () => {
  for (const suite of SUITES) checks.set(suite, await checksOfSuites([suite]));
});

interface Disturbance {
  suite: string;
  fault: string;
  probability: number;
  seed: number;
  /** For how many milliseconds all requests meet the fault, once one met it. */
  lastsMs?: number;
  /** True where the target offers no clock hook, so that checks that take long are left out. */
  noClock?: boolean;
  /** How many checks run side by side; by default one. */
  lanes?: number;
  /** Which part of the checks runs, of how many; all do where it is absent. */
  part?: [nth: number, of: number];
}

/**
 * Returns what a suite left changed, a line each. Caches are compared for their own suite only, since they
 * also expire when another suite moves the clock.
 */
function changes(suite: string, before: State, after: State): string[] {
  const own = ({ addresses, lists, limits }: State): Record<string, unknown> =>
    suite === 'cache-management' ? { ...lists, ...limits } : { addresses };
  return Object.entries(own(before)).flatMap(([key, was]) => {
    const is = own(after)[key];
    return isDeepStrictEqual(was, is)
      ? []
      : [`${key} was ${JSON.stringify(was)} and is ${JSON.stringify(is)}`];
  });
}

/**
 * Runs a suite in a disturbed network, and then `conform clean` without disturbances. Returns the outcome,
 * and what is left on the target.
 */
async function runIn(disturbance: Disturbance) {
  const { suite, fault, probability, seed, lastsMs = 0, noClock = false, lanes = 1, part } = disturbance;
  const all = checks.get(suite) as DefinedCheck[];
  const faults = fault === 'all' ? Object.values(FAULTS) : [FAULTS[fault] as Fault];
  const { description, handle, clock, met, endFaults, close } = await faultyNetwork(
    faults,
    probability,
    seed,
    lastsMs,
  );
  const hooks = { ...description.hooks, ...(noClock && { clock: undefined }) };
  const target = { name: 'faulty', embedded: false, ...description, hooks } as ResolvedTarget;
  const options: RunOptions = {
    suites: [suite],
    grep: [],
    effects: ['read', 'write', 'settings'],
    maxWaitMs: 0,
    timeoutMs: 5_000,
    seed,
    strict: false,
    concurrency: lanes,
  };
  try {
    await furnish(handle, description);
    const before = await stateOf(handle, description);
    const journals = await journalsFor(target);
    const started = performance.now();
    const report = await runChecks(part ? partOf(all, ...part) : all, target, options, {
      journal: journals.place,
      onSession: ({ time }) => {
        // Waits take no real time: they only move the target's clock.
        const passing = async (ms: number) => {
          clock.advance(Math.ceil(Math.max(0, ms)));
          time.spend(Math.ceil(Math.max(0, ms)));
        };
        time.rest = passing;
        if (noClock) time.wait = passing;
      },
    });
    const ms = Math.round(performance.now() - started);
    const metAll = met();
    endFaults();
    const undone = await journals.clean({ ...target, hooks: description.hooks } as ResolvedTarget, options);
    const left = [...undone.left, ...changes(suite, before, await stateOf(handle, description))];
    const accused = report.checks.filter(({ verdict }) => verdict === 'failed');
    return {
      met: metAll,
      ms,
      exitCode: report.exitCode,
      accused: accused.map(({ reason }) => reason),
      report,
      left,
    };
  } finally {
    await close();
  }
}

const SAMPLE: Disturbance[] = [
  { suite: 'address-book', fault: 'all', probability: 0.03, seed: 1, part: [1, 6] },
  { suite: 'oauth-token', fault: 'all', probability: 0.1, seed: 2, part: [0, 2] },
  { suite: 'agent-registration', fault: 'all', probability: 0.03, seed: 3, part: [0, 2] },
  { suite: 'cache-management', fault: 'all', probability: 0.02, seed: 4, part: [2, 8] },
  { suite: 'oauth-token', fault: 'reset after', probability: 0.3, seed: 5, part: [1, 2] },
  { suite: 'agent-registration', fault: 'redirect to itself', probability: 0.1, seed: 945542, noClock: true },
  // A server takes the place of another, which takes a second.
  { suite: 'address-book', fault: '500 in JSON', probability: 0.002, seed: 3, lastsMs: 1_000, part: [0, 3] },
  // Some of the requests that are counted against a rate are refused at random.
  { suite: 'oauth-token', fault: '429', probability: 0.1, seed: 137198, part: [0, 2] },
  // A limit could not be read before the run changed others.
  { suite: 'cache-management', fault: '504 after', probability: 0.01, seed: 80031, part: [0, 4] },
  // A different one of several pages is broken each time.
  {
    suite: 'cache-management',
    fault: 'content-length too small',
    probability: 0.3,
    seed: 379268,
    part: [1, 6],
    noClock: true,
  },
];

test.each(SAMPLE)(
  '$suite, $fault at $probability, accuses nobody',
  { timeout: 120_000 },
  async (disturbance) => {
    const { met, accused, exitCode, left } = await runIn(disturbance);
    expect(met).toBeGreaterThan(0);
    expect(accused).toEqual([]);
    expect(left).toEqual([]);
    expect(exitCode).toBe(3);
  },
);

const given = process.env.CONFORM_DISTURBANCE;

test.runIf(given !== undefined)('the given disturbance accuses nobody', { timeout: 600_000 }, async () => {
  const { accused, left, met, exitCode } = await runIn(JSON.parse(given as string) as Disturbance);
  console.log(JSON.stringify({ met, exitCode, left }));
  expect(accused).toEqual([]);
  expect(left).toEqual([]);
});

const soak = Number(process.env.CONFORM_SOAK ?? 0);

test.runIf(soak > 0)(`a soak of ${soak} runs accuses nobody`, { timeout: 6 * 3600_000 }, async () => {
  const random = randomFrom(Number(process.env.CONFORM_SOAK_SEED ?? 1));
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const table = new Map<string, { runs: number; met: number; wrong: number }>();
  const wrong: string[] = [];
  const until =
    performance.now() + 1_000 * Number(process.env.CONFORM_SOAK_SECONDS ?? Number.POSITIVE_INFINITY);
  for (let n = 0; n < soak && performance.now() < until; n += 1) {
    const disturbance: Disturbance = {
      suite: pick((process.env.CONFORM_SOAK_SUITES ?? SUITES.join(',')).split(',')),
      fault: pick([...Object.keys(FAULTS), 'all']),
      probability: pick([0.01, 0.03, 0.1, 0.3]),
      seed: Math.floor(random() * 1e6),
      noClock: random() < 1 / 3,
      lanes: Number(process.env.CONFORM_SOAK_LANES ?? 1),
    };
    const { met, ms, accused, exitCode, report, left } = await runIn(disturbance);
    const { CONFORM_SOAK_LOG: log } = process.env;
    const { checks: verdicts } = report.totals;
    if (log !== undefined)
      appendFileSync(
        log,
        `${JSON.stringify({ ...disturbance, met, ms, requests: report.requests, mb: Math.round(process.resourceUsage().maxRSS / 1024), exitCode, verdicts, accused, left })}\n`,
      );
    const row = table.get(disturbance.fault) ?? { runs: 0, met: 0, wrong: 0 };
    table.set(disturbance.fault, {
      runs: row.runs + 1,
      met: row.met + met,
      wrong: row.wrong + accused.length,
    });
    for (const each of left) wrong.push(`${JSON.stringify(disturbance)}: left: ${each}`);
    for (const reason of accused) wrong.push(`${JSON.stringify(disturbance)}: ${reason}`);
    process.stderr.write(
      `${n + 1} ${JSON.stringify(disturbance)} met ${met}, wrong ${accused.length}, left ${left.length}\n`,
    );
    for (const reason of accused) process.stderr.write(`    ${reason}\n`);
  }
  console.table(Object.fromEntries(table));
  expect(wrong).toEqual([]);
});
