/**
 * Targets of which only what is required is configured, and whose clock cannot be moved: no conforming one is
 * accused, and what is broken fails. `CONFORM_WHOLE=1` tries every variant.
 */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { Session } from '../../lib/check/session.ts';
import type { ResolvedTarget } from '../../lib/config/types.ts';
import type { CheckResult } from '../../lib/model/results.ts';
import { loadCases } from '../../lib/prove/load.ts';
import type { ProofCase } from '../../lib/prove/model.ts';
import { prepare } from '../../lib/prove/target.ts';
import { inOrder, ONE_BY_ONE } from '../../lib/run/lanes.ts';
import { checksOfSuites } from '../../lib/run/suite-files.ts';
import { SUITES } from '../disturbances/suites.ts';

const cases = await loadCases();
const inputOf = await prepare(SUITES);
const checks = inOrder(await checksOfSuites(SUITES), ONE_BY_ONE);

/** The keys that a service cannot do without. */
const REQUIRED: Record<string, string[]> = {
  shipping: ['baseUrl', 'clientId', 'clientSecret'],
  agents: ['baseUrl', 'authUrl', 'issuer', 'key', 'scope', 'scrape'],
  caches: ['baseUrl', 'token', 'enterprise', 'organization', 'repository'],
};

/** So many checks pass on each case of the part; among all cases are some on which few can be decided. */
const LEAST_PASSED = process.env.CONFORM_WHOLE ? 30 : 100;

/** Returns the target of a case without hooks, and without what neither the service nor the case requires. */
function withFewSettings(target: ResolvedTarget, { service, configure = {} }: ProofCase): ResolvedTarget {
  const all = target[service as 'shipping'] as Record<string, unknown>;
  const few = Object.entries(all).filter(([key]) => REQUIRED[service]!.includes(key) || key in configure);
  return { name: target.name, embedded: false, hooks: {}, [service]: Object.fromEntries(few) };
}

/** Runs all checks of its service against a case. Waits take no real time, though the checks cannot know that. */
async function run(each: ProofCase): Promise<CheckResult[]> {
  const { facts: _, target, ...input } = inputOf(each);
  const few = withFewSettings(target, each);
  const session = await Session.open({ ...input, target: few, runId: randomUUID() });
  const moveClock = session.hooks.clock!;
  delete session.hooks.clock;
  const pass = async (ms: number) => {
    const whole = Math.ceil(Math.max(0, ms));
    await moveClock(whole / 1000);
    session.time.spend(whole);
  };
  Object.assign(session.time, { rest: pass, wait: pass });
  const results: CheckResult[] = [];
  for (const check of checks)
    if (input.options.suites.includes(check.suite)) results.push(await check.run(session));
  return results;
}

const failed = (results: readonly CheckResult[]): string[] =>
  results.filter(({ verdict }) => verdict === 'failed').map(({ id, reason }) => `${id}: ${reason}`);

const CONFORMING = [
  'shipping/variants/verify-three-steps',
  'shipping/variants/occupied-by-130',
  'agents/variants/date-of-another-clock',
  'caches/variants/occupied-by-12',
  'caches/variants/page-past-end-is-unknown',
];

test.each(
  cases.filter(({ id, kind }) => (process.env.CONFORM_WHOLE ? kind === 'variant' : CONFORMING.includes(id))),
)('$id is not accused', async (each) => {
  const results = await run(each);
  expect(failed(results)).toEqual([]);
  expect(results.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(LEAST_PASSED);
});

test.each(['empty', 'html', 'not-json'])('a registration with a body that is %s fails', async (what) => {
  const results = await run(cases.find(({ id }) => id === `agents/generated/register/body/${what}`)!);
  expect(failed(results).map((text) => text.replace(/:.*/s, ''))).toEqual(['AGENT-REG-BODY']);
});
