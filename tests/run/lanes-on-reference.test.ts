/** Runs all checks side by side on the reference, in memory: nothing may fail, whatever runs beside what. */
import { describe, expect, test } from 'vitest';
import { conform } from '../lib/conform.ts';
import { outcomeOf } from '../prove/outcome-of.ts';

/** Seeds of random orders; `CONFORM_SEEDS=5` tries five. */
const SEEDS = Array.from({ length: Number(process.env.CONFORM_SEEDS ?? 1) }, (_, i) => i + 1);

/** With several seeds all checks run over HTTP, and otherwise the most telling of them. */
const SOME = SEEDS.length > 1 ? [] : ['--budget', '1000'];

describe.each(['shipping', 'agents', 'caches'])('the suites of %s', (service) => {
  test('hold in the planned order, with eight lanes', async () => {
    const lanes = { concurrency: 8, order: 'planned', seed: 1 } as const;
    const { outcome } = await outcomeOf(`${service}/reference`, lanes);
    expect(outcome).toMatchObject({ notable: [], skipped: [] });
  });

  // One random order of all of them is tried below, over HTTP.
  test.each(SEEDS.slice(1))('hold in a random order, with eight lanes; seed %i', async (seed) => {
    const lanes = { concurrency: 8, order: 'random', seed } as const;
    const { outcome } = await outcomeOf(`${service}/reference`, lanes);
    expect(outcome.notable).toEqual([]);
  });
});

// They share the clock: a check of one service that moves it could disturb those of another.
test.each(SEEDS)('all suites hold side by side in a random order; seed %i', async (seed) => {
  const lanes = ['--concurrency', '8', '--order', 'random', '--seed', String(seed), ...SOME];
  const { code, stdout } = await conform(['run', ...lanes], { timeoutMs: 110_000 });
  expect(stdout).toContain('no violation found');
  expect(code).toBe(0);
});
