/** The preflight tries the settings that the chosen checks use, and no others. */
import { expect, test } from 'vitest';
import { loadSignatures } from '../../lib/report/diagnosis/signatures.ts';
import { withinBudgetOf } from '../../lib/run/budget.ts';
import { keysOf, loadPlan } from '../../lib/run/plan.ts';
import { leftUntried, without } from '../../lib/run/untried.ts';
import { referenceInput } from '../plan/record.ts';

const SUITES = ['cache-management'];

const untriedWith = async (further: { grep?: string[]; budget?: number; suites?: string[] }) => {
  const { target, options } = await referenceInput('caches', SUITES);
  return leftUntried(target, { ...options, ...further }, loadSignatures);
};

test('in a whole run everything is tried', async () => {
  expect(await untriedWith({})).toEqual([]);
});

test('where some checks are chosen, what none of them uses is left out', async () => {
  const untried = await untriedWith({ grep: ['CACHE-PERM-USAGE-READER'] });
  expect(untried).toContain('caches.tokens');
  expect(untried).toContain('caches.otherEnterprise');
  expect(untried).not.toContain('caches.readerToken');
});

test('nothing is left out for the checks of plugins', async () => {
  expect(await untriedWith({ suites: [...SUITES, 'plugin'], grep: ['CACHE-LIST-STATUS'] })).toEqual([]);
});

test('a budget chooses no check that needs what was not tried', async () => {
  const untried = await untriedWith({ budget: 150 });
  expect(untried).toContain('caches.tokens');
  const { target, options } = await referenceInput('caches', SUITES);
  const plan = loadPlan();
  const keysWith = (before: object) =>
    withinBudgetOf(3_000, target, options, loadSignatures, before).choice.checks.flatMap((id) =>
      keysOf(plan, plan.checks[id]!),
    );
  expect(keysWith({})).toContain('caches.tokens');
  expect(keysWith({ untried })).not.toContain('caches.tokens');
});

test('the preflight is given a target without these keys', async () => {
  const { target } = await referenceInput('caches', SUITES);
  const { caches } = without(target, ['caches.tokens', 'other.key']) as unknown as { caches: object };
  expect(caches).not.toHaveProperty('tokens');
  expect(caches).toHaveProperty('readerToken');
  expect(target.caches).toHaveProperty('tokens');
});
