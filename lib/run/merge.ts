/** Merges the reports of shards into the report of the one run that they are parts of. */
import { allCatalogues, catalogueOf } from '../model/catalogue/registry.ts';
import { catalogueVersion } from '../model/catalogue/version.ts';
import type { CheckResult, RunReport } from '../model/results.ts';
import { UsageError } from '../model/usage-error.ts';
import { aggregate } from './aggregate.ts';
import type { Gates } from './gates.ts';
import type { KnownCheck } from './known-check.ts';
import { inOrder, ONE_BY_ONE } from './lanes.ts';

type ShardReport = RunReport & { shard: NonNullable<RunReport['shard']> };

/**
 * Returns the report of the whole run.
 * @param given the reports of all shards, in any order
 * @param known all checks, in the order of a run
 * @throws UsageError unless the reports are all the shards of one run, made by this version of the suite
 */
export function mergeShards(given: readonly RunReport[], known: readonly KnownCheck[]): RunReport {
  const reports = requireOneRun(given);
  const [first] = reports as [ShardReport];
  const begins = Math.min(...reports.map((r) => Date.parse(r.startedAt)));
  const ends = Math.max(...reports.map((r) => Date.parse(r.startedAt) + r.durationMs));
  const report = aggregate(
    first.suites.map(({ name }) => catalogueOf(name)),
    inRunOrder(reports.flatMap(withOwnExchanges(reports)), known),
    {
      tool: first.tool,
      target: first.target,
      startedAt: new Date(begins).toISOString(),
      durationMs: ends - begins,
      seed: first.seed,
      strict: first.shard.strict,
      requests: sumOf(reports, ({ requests }) => requests),
      grep: first.chosen ?? [],
      gates: first.shard.gates as Gates,
      ...(first.baseline && {
        baseline: first.baseline.map(({ state: _, failed: __, ...entry }) => entry),
      }),
      redacted: addUp(reports),
    },
  );
  const { leftovers, stays } = {
    leftovers: reports.flatMap((r) => r.leftovers ?? []),
    stays: reports.flatMap((r) => r.stays ?? []),
  };
  const cut = reports.some(({ shard }) => shard.cut);
  if (cut || (leftovers.length > 0 && report.exitCode === 0)) report.exitCode = 3;
  return { ...report, leftovers, stays };
}

function sumOf(reports: readonly RunReport[], of: (report: RunReport) => number): number {
  return reports.reduce((sum, report) => sum + of(report), 0);
}

function addUp(reports: readonly RunReport[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const { redacted = {} } of reports) {
    for (const [label, count] of Object.entries(redacted)) total[label] = (total[label] ?? 0) + count;
  }
  return total;
}

/**
 * Returns the reports in the order of their shards. Throws
 * `UsageError` unless they are all the shards of one run.
 */
function requireOneRun(reports: readonly RunReport[]): ShardReport[] {
  const shards = reports.filter((report): report is ShardReport => report.shard !== undefined);
  const [first] = shards;
  if (!first || shards.length < reports.length)
    throw new UsageError('merge: a report is of no shard; `conform run --shard 1/4` makes such reports');
  const { of } = first.shard;
  const sorted = [...shards].sort((a, b) => a.shard.index - b.shard.index);
  const indexes = sorted.map(({ shard }) => shard.index).join(' ');
  if (
    shards.some(({ shard }) => shard.of !== of) ||
    indexes !== Array.from({ length: of }, (_, i) => i + 1).join(' ')
  )
    throw new UsageError(`merge: shards ${indexes} of ${of}: each is needed, once`);
  const facts: [string, (report: ShardReport) => unknown][] = [
    ['versions of the suite', ({ tool }) => tool],
    ['targets', ({ target }) => target.name],
    ['seeds', ({ seed }) => seed],
    ['suites or catalogues', ({ suites }) => suites.map((s) => [s.name, s.catalogueVersion])],
    ['choices of checks', ({ chosen }) => chosen],
    ['ways to run', ({ shard: { index: _, cut: __, ...rest } }) => rest],
    ['baselines', ({ baseline = [] }) => baseline.map(({ id, expires }) => [id, expires])],
  ];
  for (const [what, of] of facts) {
    if (new Set(shards.map((report) => JSON.stringify(of(report)))).size > 1)
      throw new UsageError(`merge: the shards have different ${what}`);
  }
  for (const { name, catalogueVersion: version } of first.suites) {
    const catalogue = allCatalogues().get(name);
    if (!catalogue || catalogueVersion(catalogue) !== version)
      throw new UsageError(`merge: the catalogue ${name} ${version} is not the one that is installed`);
  }
  return sorted;
}

/**
 * Numbers the exchanges, and the problems of the suite, on
 * from one shard to the next, so that their ids stay unique.
 */
function withOwnExchanges(all: readonly RunReport[]): (report: RunReport) => CheckResult[] {
  const numberOf = (id: string) => Number(/^x(\d+)$/.exec(id)?.[1] ?? 0);
  const offsets = new Map<RunReport, number>();
  let next = 0;
  for (const report of all) {
    offsets.set(report, next);
    next += Math.max(0, ...report.checks.flatMap((c) => c.exchanges.map(({ id }) => numberOf(id))));
  }
  let problems = 0;
  return (report) => {
    const renamed = (id: string) =>
      id.replace(/^x(\d+)$/, (_, n) => `x${Number(n) + (offsets.get(report) as number)}`);
    return report.checks.map((check) => ({
      ...check,
      ...(check.id.startsWith('SUITE-PROBLEM/') && { id: `SUITE-PROBLEM/${++problems}` }),
      exchanges: check.exchanges.map((each) => ({ ...each, id: renamed(each.id) })),
      sharedExchanges: check.sharedExchanges.map(renamed),
      findings: check.findings.map((finding) => ({
        ...finding,
        ...(finding.exchange !== undefined && { exchange: renamed(finding.exchange) }),
        ...(finding.by !== undefined && { by: renamed(finding.by) }),
      })),
    }));
  };
}

/** Sorts the checks as in a run that is not sharded and runs them one by one. */
function inRunOrder(checks: CheckResult[], known: readonly KnownCheck[]): CheckResult[] {
  const planned = inOrder(
    known.map((check) => ({ ...check, phase: check.phase ?? 'usual', touches: check.touches ?? {} })),
    ONE_BY_ONE,
  );
  const places = new Map(planned.map(({ id }, i) => [id, i]));
  const place = ({ id }: CheckResult) => places.get(id) ?? planned.length;
  return [...checks].sort((a, b) => place(a) - place(b));
}
