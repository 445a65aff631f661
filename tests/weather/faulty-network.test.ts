/**
 * The reference behind a faulty network: no requirement that holds is said to be violated. A small sample, the
 * same each time; `CONFORM_SOAK=N` runs N random ones, a third of them without a clock hook, and prints what came of
 * each fault. `CONFORM_SOAK_SEED` chooses others, `CONFORM_SOAK_SECONDS` ends it earlier, `CONFORM_SOAK_LOG` names a file
 * that a line for each run is added to.
 */
import { appendFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import type { DefinedCheck } from '../../lib/check/suite.ts';
import type { ResolvedTarget } from '../../lib/config/types.ts';
import { FAULTS, type Fault, faultyNetwork, randomFrom } from './faulty-network.ts';
import { checksOf, runChecks } from './in-process.ts';
import { SUITES } from './suites.ts';

const checks = new Map<string, DefinedCheck[]>();

beforeAll(async () => {
  for (const suite of SUITES) checks.set(suite, await checksOf([suite]));
});

interface Weather {
  suite: string;
  fault: string;
  probability: number;
  seed: number;
  /** Whether the target lends no clock hook, so that what takes long is left out. */
  noClock?: boolean;
}

/** The outcome of a run behind a faulty network: requirements reported as violated, and the exit status. */
async function runIn({ suite, fault, probability, seed, noClock = false }: Weather) {
  const faults = fault === 'all' ? Object.values(FAULTS) : [FAULTS[fault] as Fault];
  const { target, met, close } = await faultyNetwork(faults, probability, seed);
  if (noClock) delete target.hooks?.clock;
  try {
    const report = await runChecks(
      checks.get(suite) as DefinedCheck[],
      { name: 'faulty', embedded: false, ...target } as ResolvedTarget,
      {
        suites: [suite],
        grep: [],
        effects: ['read', 'write', 'settings'],
        maxWaitMs: 0,
        timeoutMs: 5_000,
        seed,
        strict: false,
      },
    );
    const accused = report.checks.filter(({ verdict }) => verdict === 'failed');
    return { met: met(), exitCode: report.exitCode, accused: accused.map(({ reason }) => reason), report };
  } finally {
    await close();
  }
}

const SAMPLE: Weather[] = [
  { suite: 'address-book', fault: 'all', probability: 0.03, seed: 1 },
  { suite: 'oauth-token', fault: 'all', probability: 0.1, seed: 2 },
  { suite: 'agent-registration', fault: 'all', probability: 0.03, seed: 3 },
  { suite: 'cache-management', fault: 'all', probability: 0.02, seed: 4 },
  { suite: 'oauth-token', fault: 'reset after', probability: 0.3, seed: 5 },
  { suite: 'agent-registration', fault: 'redirect to itself', probability: 0.1, seed: 945542, noClock: true },
];

test.each(SAMPLE)('$suite, $fault at $probability, accuses nobody', { timeout: 60_000 }, async (weather) => {
  const { met, accused, exitCode } = await runIn(weather);
  expect(met).toBeGreaterThan(0);
  expect(accused).toEqual([]);
  expect(exitCode).toBe(3);
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
    const weather: Weather = {
      suite: pick((process.env.CONFORM_SOAK_SUITES ?? SUITES.join(',')).split(',')),
      fault: pick([...Object.keys(FAULTS), 'all']),
      probability: pick([0.01, 0.03, 0.1, 0.3]),
      seed: Math.floor(random() * 1e6),
      noClock: random() < 1 / 3,
    };
    const { met, accused, exitCode, report } = await runIn(weather);
    const { CONFORM_SOAK_LOG: log } = process.env;
    const { checks: verdicts } = report.totals;
    if (log !== undefined)
      appendFileSync(log, `${JSON.stringify({ ...weather, met, exitCode, verdicts, accused })}\n`);
    const row = table.get(weather.fault) ?? { runs: 0, met: 0, wrong: 0 };
    table.set(weather.fault, { runs: row.runs + 1, met: row.met + met, wrong: row.wrong + accused.length });
    for (const reason of accused) wrong.push(`${JSON.stringify(weather)}: ${reason}`);
    process.stderr.write(`${n + 1} ${JSON.stringify(weather)} met ${met}, wrong ${accused.length}\n`);
    for (const reason of accused) process.stderr.write(`    ${reason}\n`);
  }
  console.table(Object.fromEntries(table));
  expect(wrong).toEqual([]);
});
