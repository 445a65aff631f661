/** A conforming target in use, where reads lag and others change things: nothing is blamed on it. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { Session } from '../../lib/check/session.ts';
import type { DefinedCheck } from '../../lib/check/suite.ts';
import type { ResolvedTarget, RunOptions } from '../../lib/config/types.ts';
import { codeFile } from '../../lib/model/paths.ts';
import type { CheckResult } from '../../lib/model/results.ts';
import { checksOfSuites } from '../../lib/run/suite-files.ts';
import { makeTrust } from '../../reference/index.ts';
import { runOptions } from '../lib/run-options.ts';
import { busyNeighbour, describeInMemory, type InMemory } from '../transports/in-memory.ts';
import { busyAgents } from './busy-agents.ts';
import { partOf } from './suites.ts';

const module = codeFile('tests/transports/in-memory');
const trust = await makeTrust();

/** Runs the checks of a suite that `chosen` returns against such a target, and returns the results. */
async function runAt(
  suite: string,
  server: Omit<InMemory, 'trust'>,
  options: Partial<RunOptions> = {},
  chosen: (checks: readonly DefinedCheck[]) => readonly DefinedCheck[] = (all) => all,
): Promise<CheckResult[]> {
  const { hooks, ...services } = describeInMemory(trust);
  const session = await Session.open({
    runId: randomUUID(),
    target: { name: 'living', embedded: false, hooks, ...services } as ResolvedTarget,
    options: runOptions([suite], options),
    transport: { module, params: { trust, ...server } },
  });
  const results: CheckResult[] = [];
  for (const check of chosen(await checks(suite))) results.push(await check.run(session));
  await session.close();
  return results;
}

const known = new Map<string, ReturnType<typeof checksOfSuites>>();
function checks(suite: string) {
  const found = known.get(suite) ?? checksOfSuites([suite]);
  known.set(suite, found);
  return found;
}

const not = (results: readonly CheckResult[], ...verdicts: string[]) =>
  results
    .filter(({ verdict }) => verdicts.includes(verdict))
    .map(({ id, reason }) => `${id}: ${reason?.split('\n')[0]}`);

test.each(['address-book', 'oauth-token', 'cache-management'])(
  'reads that lag behind writes violate nothing in %s where the target says so',
  { timeout: 120_000 },
  async (suite) => {
    const results = await runAt(suite, { lagMs: 4 }, { settleMs: 5 }, (all) => partOf(all, 0, 8));
    expect(not(results, 'failed', 'warned', 'blocked', 'errored')).toEqual([]);
  },
);

test('where the target says nothing of it, the first that is seen is undecided and names the setting', {
  timeout: 120_000,
}, async () => {
  const some = /^ADDR-(AUTH-READ-NO|CREATE-REQUIRES-(ALIAS|NAME)|DELETE-GONE-READ$)/;
  const results = await runAt('address-book', { lagMs: 50 }, {}, (all) =>
    all.filter(({ id }) => some.test(id)),
  );
  expect(not(results, 'failed', 'warned')).toEqual([]);
  expect(results.find(({ verdict }) => verdict === 'errored')?.reason).toMatch(/ --settle (0\.3|1);/);
});

test.each(['address-book', 'cache-management'])(
  'what others add, change and remove meanwhile violates nothing in %s',
  { timeout: 120_000 },
  async (suite) => {
    const results = await runAt(suite, { meanwhile: busyNeighbour(9) }, {}, (all) => partOf(all, 1, 8));
    expect(not(results, 'failed', 'warned')).toEqual([]);
  },
);

test.each([2, 7])(
  'other agents that register and use their keys meanwhile violate nothing (every %i requests)',
  {
    timeout: 120_000,
  },
  async (every) => {
    const answered: number[] = [];
    const meanwhile = busyAgents(every, trust, (status) => answered.push(status));
    const results = await runAt('agent-registration', { meanwhile }, {}, (all) => partOf(all, every, 3));
    // In this order: registered, served, registered again, refused as a replay.
    expect(answered.slice(0, 4)).toEqual([200, 200, 200, 401]);
    expect(not(results, 'failed', 'warned', 'blocked', 'errored')).toEqual([]);
  },
);
