/** The preflight tries the settings that the chosen checks use, and no others. */
import { expect, test } from 'vitest';
import { loadSignatures } from '../../lib/report/diagnosis/signatures.ts';
import { withinBudgetOf } from '../../lib/run/budget.ts';
import { keysOf, loadPlan } from '../../lib/run/plan.ts';
import { leftUntried, without } from '../../lib/run/untried.ts';
import { referenceInput } from '../plan/record.ts';

const SUITES = ['cache-management'];
const ALL = ['address-book', 'oauth-token', 'agent-registration', ...SUITES];

type Further = { grep?: string[]; budget?: number; suites?: string[]; chosen?: string[]; target?: object };

const untriedWith = async ({ target: parts, ...further }: Further) => {
  const { target, options } = await referenceInput('caches', SUITES);
  return leftUntried({ ...target, ...parts }, { ...options, ...further }, loadSignatures);
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

test('what a check uses only where it is configured is tried for it', async () => {
  const untried = await untriedWith({ grep: ['CACHE-LIST-STATUS'] });
  expect(untried).toContain('caches.enterprise');
  expect(untried).not.toContain('caches.otherRepository');
  expect(untried).not.toContain('hooks.seed');
});

test('a service of which no check is chosen is left out as a whole', async () => {
  const untried = await untriedWith({ suites: ALL, grep: ['CACHE-LIST-STATUS'] });
  expect(untried).toEqual(expect.arrayContaining(['agents', 'shipping']));
  expect(untried).not.toContain('caches');
});

test('the clock is tried where a chosen check uses it, or time passes between requests', async () => {
  const grep = ['CACHE-REPO-USAGE-AFTER-CREATION'];
  expect(await untriedWith({ grep })).not.toContain('hooks.clock');
  const suites = ['oauth-token'];
  const shipping = (rate: object) => ({ shipping: { baseUrl: 'http://a.test', rate } });
  const issue = { suites, grep: ['TOKEN-ISSUE-STATUS'] };
  expect(await untriedWith({ ...issue, target: shipping({}) })).not.toContain('hooks.clock');
  expect(await untriedWith({ ...issue, target: shipping({ unlimited: true }) })).toContain('hooks.clock');
});

test('no issuer is tried for checks that register nobody', async () => {
  const suites = ['agent-registration'];
  expect(await untriedWith({ suites, grep: ['AGENT-REQ-METHOD'] })).toContain('agents.issuer');
  expect(await untriedWith({ suites, grep: ['AGENT-REG-STATUS'] })).not.toContain('agents.issuer');
});

test('nothing is left out where a check is not known', async () => {
  expect(await untriedWith({ grep: ['CACHE-LIST-STATUS', 'CACHE-NEW'] })).toEqual([]);
  expect(await untriedWith({ chosen: ['CACHE-LIST-STATUS', 'CACHE-NEW'] })).toEqual([]);
});

test('nothing is tried for checks that are all going to be skipped', async () => {
  const target = { caches: { baseUrl: 'http://a.test', token: 'a-token' } };
  expect(await untriedWith({ grep: ['CACHE-PERM-USAGE-READER'], target })).toContain('caches');
});

test('a check is taken to run with fewer attempts than all, and where the clock cannot be moved', async () => {
  const suites = ['agent-registration'];
  const agents = { baseUrl: 'http://a.test', issuer: 'https://idp.test', key: {}, maxAttempts: 100 };
  const target = { agents, hooks: {} };
  expect(await untriedWith({ suites, grep: ['AGENT-AUD-OTHER/subdomain'], target })).not.toContain('agents');
  const later = { suites, grep: ['AGENT-EXP-PAST-TEN-MINUTES/as-time-passes'], target };
  expect(await untriedWith(later)).not.toContain('agents');
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
  expect(without(target, ['caches'])).not.toHaveProperty('caches');
  expect(without(target, ['hooks.seed']).hooks).not.toHaveProperty('seed');
});
