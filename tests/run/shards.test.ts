/** A run in shards gives the same verdicts, totals and exit status as the run in one piece. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Session } from '../../lib/check/session.ts';
import type { DefinedCheck } from '../../lib/check/suite.ts';
import { mayRunBeside } from '../../lib/check/touches.ts';
import { allCatalogues, catalogueOf } from '../../lib/model/catalogue/registry.ts';
import { codeFile } from '../../lib/model/paths.ts';
import type { RunReport } from '../../lib/model/results.ts';
import { tool } from '../../lib/model/tool.ts';
import { loadCases } from '../../lib/prove/load.ts';
import { prepare } from '../../lib/prove/target.ts';
import { aggregate } from '../../lib/run/aggregate.ts';
import type { KnownCheck } from '../../lib/run/known-check.ts';
import { inOrder, ONE_BY_ONE } from '../../lib/run/lanes.ts';
import { mergeShards } from '../../lib/run/merge.ts';
import { changesSettings, planShards, type Shard, shardOf } from '../../lib/run/shards.ts';
import { checksOfSuites } from '../../lib/run/suite-files.ts';
import { conformHere, temporaryFile, temporaryFolder } from '../lib/conform.ts';

const ONE_SERVER = codeFile('tests/transports/one-server');

let everything: DefinedCheck[];
let inputOf: Awaited<ReturnType<typeof prepare>>;
let cases: Awaited<ReturnType<typeof loadCases>>;

beforeAll(async () => {
  const suites = [...allCatalogues().keys()];
  everything = inOrder(await checksOfSuites(suites), ONE_BY_ONE);
  inputOf = await prepare(suites);
  cases = await loadCases();
});

const inputFor = (caseId: string) => inputOf(cases.find(({ id }) => id === caseId)!);

/**
 * Returns the checks of the suites about the service of a case, apart from those that judge what others are answered:
 * in a shard they see the answers of that shard alone.
 */
function checksFor(caseId: string): DefinedCheck[] {
  const { suites } = inputFor(caseId).options;
  return everything.filter(({ suite, faults }) => suites.includes(suite) && faults === undefined);
}

/**
 * Runs checks against a case of the proof.
 * @param server name of a server; runs with the same name share it, and by default each run has a new one
 */
async function run(
  caseId: string,
  ids?: readonly string[],
  shard?: Shard,
  server: string = randomUUID(),
): Promise<RunReport> {
  const input = inputFor(caseId);
  const transport = { module: ONE_SERVER, params: { server, wire: input.transport } };
  const session = await Session.open({ ...input, transport, runId: randomUUID() });
  // A server in this process does not come back while a run rests.
  session.time.rest = async () => {};
  const results = [];
  for (const check of checksFor(caseId)) {
    if (ids?.includes(check.id) ?? true) results.push(await check.run(session));
  }
  await session.close();
  const report = aggregate(input.options.suites.map(catalogueOf), results, {
    tool: tool(),
    target: { name: caseId, urls: {} },
    startedAt: new Date().toISOString(),
    durationMs: 0,
    seed: 1,
    strict: false,
    isPart: shard !== undefined,
    requests: session.http.recorder.count,
  });
  return shard ? { ...report, shard: { ...shard, strict: false, gates: {} } } : report;
}

/**
 * Returns what has to be the same. The causes of blocked checks may differ, since each shard has only its own
 * exchanges to trace them by.
 */
function said({ totals, exitCode, summary, suites, requirements, checks, observations }: RunReport) {
  return {
    totals,
    exitCode,
    summary,
    suites,
    requirements,
    checks: checks.map(({ id, verdict, verdicts, requirements }) => ({
      id,
      verdict,
      verdicts,
      requirements,
    })),
    observations: observations.map(({ id }) => id),
  };
}

/**
 * Runs shards one after the other, against one server as a target is, or each against a server of its own.
 */
async function inShards(caseId: string, of: number, shared: boolean): Promise<RunReport> {
  const checks = checksFor(caseId);
  const server = shared ? randomUUID() : undefined;
  const reports = [];
  for (const [i, ids] of planShards(checks, of, shared).entries())
    reports.push(await run(caseId, ids, { index: i + 1, of }, server));
  // Merging has to work in any order, since jobs end in any order.
  return mergeShards(reports.reverse(), checks);
}

// A sample that has every suite, from 2 to 8 shards, and both ways to share.
test.each<[string, 0 | 1 | 3, shared: number[], isolated: number[]]>([
  ['shipping/trivial/200-empty-object', 1, [], [2]],
  ['agents/reference', 0, [5], []],
  ['caches/enterprise-retention-not-stored', 1, [], [4]],
  ['caches/trivial/refused', 3, [8], []],
])(
  '%s: shards, merged, are one run',
  async (caseId, exitCode, shared, isolated) => {
    const whole = said(await run(caseId));
    expect(whole.exitCode).toBe(exitCode);
    for (const of of [...shared, ...isolated]) {
      const merged = await inShards(caseId, of, shared.includes(of));
      expect(said(merged), `${of} shards`).toEqual(whole);
      const exchanges = merged.checks.flatMap((c) => c.exchanges.map(({ id }) => id));
      expect(new Set(exchanges).size).toBe(exchanges.length);
      for (const { findings } of merged.checks) {
        for (const { exchange } of findings) if (exchange) expect(exchanges).toContain(exchange);
      }
    }
  },
  120_000,
);

test('a shard without checks leaves nothing undecided; a run without any does', async () => {
  expect((await run('agents/reference', [], { index: 2, of: 2 })).exitCode).toBe(0);
  expect((await run('agents/reference', [])).exitCode).toBe(3);
  const empty = [1, 2].map((index) => run('agents/reference', [], { index, of: 2 }));
  expect(mergeShards(await Promise.all(empty), everything).exitCode).toBe(3);
});

describe('the plan', () => {
  test.each([2, 3, 4, 5, 6, 7, 8])('%i shards hold every check once, the same each time', (of) => {
    for (const shared of [true, false]) {
      const plan = planShards(everything, of, shared);
      expect(plan).toHaveLength(of);
      expect(plan.flat().sort()).toEqual(everything.map(({ id }) => id).sort());
      expect(planShards(everything, of, shared)).toEqual(plan);
    }
  });

  test('on one target, what may not run beside a check is in its shard, whatever the clock', () => {
    const plan = planShards(everything, 8, true).map((ids) =>
      everything.filter(({ id }) => ids.includes(id)),
    );
    const withoutClock = ({ touches }: DefinedCheck) => ({ ...touches, clock: undefined });
    for (const [i, shard] of plan.entries()) {
      for (const other of plan.slice(i + 1)) {
        for (const one of shard) {
          const clash = other.find((each) => !mayRunBeside(withoutClock(one), withoutClock(each)));
          expect(clash?.id, `${one.id} in another shard than`).toBeUndefined();
        }
      }
    }
  });

  test('checks that use up a scarce resource, such as attempts, are in one shard', () => {
    const scarce = new Set(
      everything.filter((c) => c.phase === 'scarce' || c.phase === 'late').map((c) => c.suite),
    );
    expect(scarce.size).toBeGreaterThan(0);
    const plan = planShards(everything, 8, true);
    for (const suite of scarce) {
      const ids = everything.filter((check) => check.suite === suite).map(({ id }) => id);
      expect(
        plan.filter((shard) => ids.some((id) => shard.includes(id))),
        suite,
      ).toHaveLength(1);
    }
  });

  test.each([2, 4, 9])('of %i shards of one target, one changes settings', (of) => {
    const plan = planShards(everything, of, true);
    expect(plan.filter((ids) => changesSettings(everything, ids))).toHaveLength(1);
  });

  test('of checks that say nothing of what they touch, a suite stays together', () => {
    const bare = everything.map(
      ({ id, suite, requirements, effects }): KnownCheck => ({ id, suite, requirements, effects }),
    );
    const plan = planShards(bare, 4, true);
    for (const suite of new Set(bare.map((check) => check.suite))) {
      const ids = new Set(bare.filter((check) => check.suite === suite).map(({ id }) => id));
      expect(
        plan.filter((shard) => shard.some((id) => ids.has(id))),
        suite,
      ).toHaveLength(1);
    }
  });

  test.each(['0/2', '3/2', '1', '1/0', 'a/b', '-1/2'])('%s is not a valid shard', (text) => {
    expect(() => shardOf(text)).toThrow('not a shard');
  });
});

describe('merging', () => {
  /** Runs a shard with two checks. */
  const part = (index: number): Promise<RunReport> => {
    const plan = planShards(checksFor('shipping/reference'), 2, false);
    return run('shipping/reference', plan[index - 1]!.slice(0, 2), { index, of: 2 });
  };

  test('refuses what is not all of one run', async () => {
    const [one, two] = [await part(1), await part(2)];
    const { shard: _, ...whole } = one;
    for (const [reports, why] of [
      [[one], 'shards 1 of 2'],
      [[one, one], 'each is needed, once'],
      [[one, whole], 'is of no shard'],
      [[one, { ...two, seed: 2 }], 'different seeds'],
      [[one, { ...two, tool: { ...two.tool, version: '9.9.9' } }], 'different versions'],
      [[one, { ...two, target: { ...two.target, name: 'other' } }], 'different targets'],
    ] as [RunReport[], string][]) {
      expect(() => mergeShards(reports, everything)).toThrow(why);
    }
    expect(mergeShards([two, one], everything)).not.toHaveProperty('shard');
  });

  test('a shard that was cut leaves the whole undecided', async () => {
    const [one, two] = [await part(1), await part(2)];
    expect(mergeShards([one, two], everything).exitCode).toBe(0);
    expect(mergeShards([one, { ...two, shard: { ...two.shard!, cut: true } }], everything).exitCode).toBe(3);
  });
});

test('conform run --shard and conform merge; what is asked of the whole is asked of the whole', async () => {
  const folders = [temporaryFolder(), temporaryFolder()];
  const gate = ['--require', 'TOKEN-ISSUE-STATUS', '--grep', 'TOKEN-ISSUE-*'];
  for (const [i, out] of folders.entries()) {
    const { code, stderr } = await conformHere(['run', '--shard', `${i + 1}/2`, '--out', out, ...gate]);
    expect(code, stderr).toBe(0);
  }
  const out = temporaryFolder();
  const { code, stdout, stderr } = await conformHere(['merge', ...folders, '--out', out]);
  expect(stderr).toBe('');
  expect(code, stdout).toBe(0);
  const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as RunReport;
  const chosen = everything.filter(({ id }) => id.startsWith('TOKEN-ISSUE-'));
  expect(report.checks.map(({ id }) => id)).toEqual(chosen.map(({ id }) => id));
  expect(report).toMatchObject({ exitCode: 0, totals: { failed: 0, skipped: 0, blocked: 0, errored: 0 } });
}, 120_000);

test('shards that would share a clock that moves are refused before anything is sent', async () => {
  const target = {
    shipping: { baseUrl: 'http://127.0.0.1:9', clientId: 'a', clientSecret: 'long-enough-secret' },
    hooks: { clock: { url: 'http://127.0.0.1:9/clock' } },
  };
  const config = temporaryFile('targets.yaml', JSON.stringify({ targets: { mine: target } }));
  for (const further of [[], ['--dry-run']]) {
    const { code, stderr } = await conformHere(['run', '--config', config, '--shard', '1/2', ...further]);
    expect(code).toBe(2);
    expect(stderr).toContain('hooks.clock');
  }
});

test('several targets in one command have one page; the worst decides', async () => {
  const targets = { one: { embedded: true }, two: { embedded: true } };
  const config = temporaryFile('targets.yaml', JSON.stringify({ targets }));
  const out = temporaryFolder();
  const flags = ['--config', config, '--out', out, '--grep', 'TOKEN-ISSUE-STATUS'];
  const all = await conformHere(['run', '--all-targets', ...flags]);
  expect(all.code, all.stderr).toBe(0);
  const page = readFileSync(join(out, 'index.html'), 'utf8');
  for (const name of ['one', 'two']) {
    expect(page).toContain(`<th scope="col"><a href="${name}/index.html">${name}</a>`);
    expect(all.stdout).toContain(`  ${name}  No violation found, in part: 1 of 1 requirement`);
  }

  // A plan has no verdicts, not even those of the reports that are there.
  const dry = await conformHere(['run', '--all-targets', '--dry-run', ...flags]);
  expect(dry.code, dry.stderr).toBe(0);
  expect(dry.stdout).not.toMatch(/No violation|side by side/);

  const unknown = await conformHere(['run', '--target', 'one', 'three', ...flags]);
  expect(unknown.stderr).toContain('no target `three`');
  expect(unknown.code).toBe(2);
}, 120_000);
