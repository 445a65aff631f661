/** Runs all checks side by side on the reference, in memory: nothing may fail, whatever runs beside what. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { DefinedCheck } from '../../lib/check/suite.ts';
import { allCatalogues } from '../../lib/model/catalogue/registry.ts';
import { loadCases } from '../../lib/prove/load.ts';
import type { CaseOutcome } from '../../lib/prove/model.ts';
import { runCase } from '../../lib/prove/run-case.ts';
import { prepare } from '../../lib/prove/target.ts';
import { checksOf, suiteFiles } from '../../lib/run/suite-files.ts';
import { conform } from '../lib/conform.ts';

/** Seeds of random orders; `CONFORM_SEEDS=5` tries five. */
const SEEDS = Array.from({ length: Number(process.env.CONFORM_SEEDS ?? 1) }, (_, i) => i + 1);

/** With several seeds all checks run over HTTP, and otherwise the most telling of them. */
const SOME = SEEDS.length > 1 ? [] : ['--budget', '1000'];

let checks: DefinedCheck[];
let run: (service: string, lanes: Parameters<typeof runCase>[4]) => Promise<CaseOutcome>;

beforeAll(async () => {
  checks = await checksOf([...suiteFiles().values()].flat());
  const cases = await loadCases();
  run = async (service, lanes) => {
    const suites = [...allCatalogues().keys()].filter((suite) =>
      checks.some((check) => check.suite === suite && check.service.name === service),
    );
    const reference = cases.find(({ id }) => id === `${service}/reference`)!;
    const { facts: _, ...input } = (await prepare(suites))(reference);
    const own = checks.filter((check) => check.service.name === service);
    return runCase(reference.id, own, input, false, lanes);
  };
});

describe.each(['shipping', 'agents', 'caches'])('the suites of %s', (service) => {
  test('hold in the planned order, with eight lanes', async () => {
    const outcome = await run(service, { concurrency: 8, order: 'planned', seed: 1 });
    expect(outcome).toMatchObject({ notable: [], skipped: [] });
  });

  // One random order of all of them is tried below, over HTTP.
  test.each(SEEDS.slice(1))('hold in a random order, with eight lanes; seed %i', async (seed) => {
    const { notable } = await run(service, { concurrency: 8, order: 'random', seed });
    expect(notable).toEqual([]);
  });
});

// They share the clock: a check of one service that moves it could disturb those of another.
test.each(SEEDS)('all suites hold side by side in a random order; seed %i', async (seed) => {
  const lanes = ['--concurrency', '8', '--order', 'random', '--seed', String(seed), ...SOME];
  const { code, stdout } = await conform(['run', ...lanes], { timeoutMs: 110_000 });
  expect(stdout).toContain('no violation found');
  expect(code).toBe(0);
});
