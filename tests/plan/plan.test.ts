/** The table that `doctor` and `run --dry-run` go by; `CONFORM_WRITE_PLAN=1` records it anew. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allServices } from '../../lib/check/services.ts';
import type { ResolvedTarget, RunOptions } from '../../lib/config/types.ts';
import { catalogueOf } from '../../lib/model/catalogue/registry.ts';
import { packageRoot } from '../../lib/model/paths.ts';
import { isCurveStale, updateCurve } from '../../lib/prove/document.ts';
import { coverageOf, type Foreseen, foresee, loadPlan, PLAN, writtenPlan } from '../../lib/run/plan.ts';
import { checksOfSuites } from '../../lib/run/suite-files.ts';
import { preflightRequests, record } from './record.ts';

test.runIf(process.env.CONFORM_WRITE_PLAN)('the table is recorded', { timeout: 600_000 }, async () => {
  writeFileSync(join(packageRoot(), PLAN), writtenPlan(await record()));
  updateCurve();
});

test('the published curve is that of the signatures and the prices: `npm run plan` writes it anew', () => {
  expect(isCurveStale()).toBe(false);
});

test('the table has nearly every check: `npm run plan` records it anew', async () => {
  const checks = await checksOfSuites(allServices().flatMap(({ suites }) => suites));
  const known = loadPlan().checks;
  const missing = checks.filter(({ id }) => known[id] === undefined);
  expect(missing.length / checks.length).toBeLessThan(0.1);
});

test('the table has about what the preflight sends: `npm run plan` records it anew', async () => {
  for (const { name, suites } of allServices()) {
    const sent = await preflightRequests(name, suites);
    expect(Math.abs((loadPlan().preflight[name] ?? 0) - sent) / sent, name).toBeLessThan(0.3);
  }
});

const options = (suites: string[]): RunOptions => ({
  suites,
  grep: [],
  effects: ['read', 'write', 'settings'],
  maxWaitMs: 0,
  timeoutMs: 1,
  seed: 1,
  strict: false,
});

const target = (parts: object): ResolvedTarget => ({ name: 'mine', embedded: false, hooks: {}, ...parts });

describe('what would be exercised', () => {
  const caches = { baseUrl: 'http://caches.test', token: 'a-token', repository: 'octo/app' };
  const suites = ['cache-management'];

  test('grows by as much as was announced, for each key in turn', () => {
    let config: Record<string, Record<string, unknown>> = { caches, hooks: {} };
    const coverage = () => coverageOf(foresee(loadPlan(), target(config), options(suites)), suites);
    for (;;) {
      const { exercised, unlocking } = coverage();
      const [next] = unlocking;
      if (!next) break;
      config = structuredClone(config);
      for (const key of next.keys) {
        const [part = '', name = ''] = key.split('.');
        config[part] = { ...config[part], [name]: 'set' };
      }
      expect(coverage().exercised).toBe(exercised + next.gained);
    }
    expect(config.caches).toHaveProperty('organization');
    expect(config.hooks).toHaveProperty('seed');
  });

  test('is counted as the report of a run counts it: required entries', () => {
    const { requirements } = coverageOf(foresee(loadPlan(), target({ caches }), options(suites)), suites);
    const required = catalogueOf('cache-management').requirements.filter(({ level }) => level === 'required');
    expect(requirements).toBe(required.length);
  });

  test('names no key that unlocks nothing', () => {
    const { unlocking } = coverageOf(foresee(loadPlan(), target({ caches }), options(suites)), suites);
    expect(unlocking.length).toBeGreaterThan(3);
    for (const { gained } of unlocking) expect(gained).toBeGreaterThan(0);
  });
});

test('keys that unlock nothing alone are named together', () => {
  const check = (id: string, ...missing: string[]): Foreseen => ({
    id,
    suite: 'oauth-token',
    requirements: [id],
    effects: 'read',
    needs: [],
    sends: [],
    missing,
  });
  const both = ['shipping.secondClient', 'hooks.clock'];
  const [one = '', two = '', three = ''] = catalogueOf('oauth-token')
    .requirements.filter(({ level }) => level === 'required')
    .map(({ id }) => id);
  const { exercised, unlocking } = coverageOf(
    [check(one), check(two, ...both), check(three, ...both)],
    ['oauth-token'],
  );
  expect([exercised, unlocking.map(({ keys }) => keys)]).toEqual([1, [both]]);
});
