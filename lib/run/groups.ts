/** Failures that rest on the same answers are told as one: a fault shows in many checks. */
import type { CheckResult, FailureGroup, Finding } from '../model/results.ts';

/** What has to be known of a requirement to order failures. */
export interface Weighed {
  id: string;
  severity?: FailureGroup['severity'];
}

const RANK = { critical: 0, major: 1, minor: 2 };

/** One failed requirement, with everything that shows it. */
interface Failure {
  id: string;
  /** It is the n-th that was found. */
  nth: number;
  severity: FailureGroup['severity'];
  findings: Finding[];
  /** Failed checks that blame it. */
  checks: string[];
  /** Exchanges that show it. */
  shown: Set<string>;
  /** Exchanges that show it or did it. */
  exchanges: Set<string>;
  /** Checks that are blocked by it. */
  blocks: number;
  /** 0: the answer as a whole is wrong; more: something further inside. */
  depth: number;
}

/**
 * The failed requirements in groups. The root of a group is what the others may follow from: what is wrong with an
 * answer as a whole comes before what is wrong inside it, and what many checks wait for before what none does. A
 * requirement is folded under a root where most of what shows it is the same exchange or was done by the same request.
 * @returns the groups, the worst first: by severity, then by how many checks depend on them
 */
export function groupFailures(checks: readonly CheckResult[], catalogue: readonly Weighed[]): FailureGroup[] {
  const left = failuresOf(checks, catalogue).sort(byRoot);
  const groups: Failure[][] = [];
  while (left.length > 0) {
    const root = left.shift()!;
    const group = [root];
    for (const other of [...left]) {
      if (!restsOn(other, root)) continue;
      group.push(other);
      left.splice(left.indexOf(other), 1);
    }
    groups.push(group);
  }
  return groups
    .map(groupOf)
    .sort(
      (a, b) =>
        RANK[a.severity] - RANK[b.severity] || b.blocks - a.blocks || b.checks.length - a.checks.length,
    );
}

function failuresOf(checks: readonly CheckResult[], catalogue: readonly Weighed[]): Failure[] {
  const severity = new Map(catalogue.map((one) => [one.id, one.severity ?? 'major']));
  const failures = new Map<string, Failure>();
  for (const check of checks) {
    for (const [id, verdict] of Object.entries(check.verdicts)) {
      if (verdict !== 'failed') continue;
      const findings = check.findings.filter((finding) => finding.requirement === id);
      const failure = failures.get(id) ?? {
        id,
        nth: failures.size,
        severity: severity.get(id) ?? 'major',
        findings: [],
        checks: [],
        shown: new Set(),
        exchanges: new Set(),
        blocks: checks.filter(({ blockedBy }) => blockedBy === id).length,
        depth: Number.POSITIVE_INFINITY,
      };
      failure.findings.push(...findings);
      failure.checks.push(check.id);
      for (const { exchange, by } of findings) {
        if (exchange !== undefined) failure.shown.add(exchange);
        for (const id of [exchange, by]) if (id !== undefined) failure.exchanges.add(id);
      }
      failure.depth = Math.min(failure.depth, ...findings.map(({ pointer }) => depthOf(pointer)));
      failures.set(id, failure);
    }
  }
  return [...failures.values()];
}

/** How far inside an answer a pointer leads: its status, its body as a whole, a property, an inner one. */
function depthOf(pointer: string | undefined): number {
  if (pointer === 'status') return 0;
  if (pointer === undefined) return 2;
  if (pointer === '') return 1;
  return pointer.startsWith('header:') ? 2 : 1 + pointer.split('/').length;
}

/** Between equals the one that was found last: what is general is looked at first, what is special says more. */
function byRoot(a: Failure, b: Failure): number {
  return (
    b.blocks - a.blocks ||
    a.depth - b.depth ||
    RANK[a.severity] - RANK[b.severity] ||
    b.checks.length - a.checks.length ||
    b.nth - a.nth
  );
}

/** Whether at least half of what shows `other` shows the root as well. */
function restsOn(other: Failure, root: Failure): boolean {
  const common = [...other.exchanges].filter((id) => root.exchanges.has(id)).length;
  return common > 0 && common * 2 >= other.exchanges.size;
}

function groupOf(failures: readonly Failure[]): FailureGroup {
  const [root] = failures as [Failure, ...Failure[]];
  const severity = failures.map((one) => one.severity).sort((a, b) => RANK[a] - RANK[b])[0]!;
  return {
    root: root.id,
    requirements: failures.map(({ id }) => id),
    checks: [...new Set(failures.flatMap(({ checks }) => checks))],
    exchanges: [...new Set(failures.flatMap(({ shown }) => [...shown]))],
    severity,
    blocks: failures.reduce((sum, { blocks }) => sum + blocks, 0),
  };
}
