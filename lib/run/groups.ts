/** Groups failures that rest on the same exchanges, since one fault of a server shows in many checks. */
import { SEVERITY_RANK } from '../model/catalogue/types.ts';
import type { CheckResult, Diagnosis, FailureGroup, Finding } from '../model/results.ts';

/** What has to be known of a requirement to order its failure among others. */
export interface Weighed {
  id: string;
  severity?: FailureGroup['severity'];
}

/** One failed requirement, with everything that shows it. */
interface Failure {
  id: string;
  /** How many failures were found before it. */
  nth: number;
  severity: FailureGroup['severity'];
  findings: Finding[];
  /** Ids of the checks in which it failed. */
  checks: string[];
  /** Exchanges whose answer shows the failure. */
  shown: Set<string>;
  /** Exchanges whose answer shows the failure or whose request caused it. */
  exchanges: Set<string>;
  /** How many checks are blocked by it. */
  blocks: number;
  /** How deep inside an answer the fault is; 0 where the answer as a whole is wrong. */
  depth: number;
}

/**
 * Groups the failed requirements. The root of a group is the failure that the others may follow from: what
 * blocks many checks comes before what blocks none, and a fault of an answer as a whole before a fault inside
 * it. A requirement joins the group of a root when at least half of the exchanges that show or caused its
 * failure are also the root's.
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
  return groups.map(groupOf).sort(worstFirst);
}

/**
 * Merges the groups that one likely cause explains completely. For example, a server that ignores the
 * audience of a token fails the checks of eight wrong audiences, each with a request of its own.
 * @param causes only those that name a deviation count: a requirement alone does not say enough of what
 *   follows from it
 */
export function foldByCauses(groups: readonly FailureGroup[], causes: readonly Diagnosis[]): FailureGroup[] {
  let left = [...groups];
  for (const { deviation, requirement, checks } of causes) {
    if (deviation === undefined) continue;
    const parts = left.filter((group) => group.checks.every((id) => checks.includes(id)));
    if (parts.length < 2) continue;
    const root = parts.find(({ requirements }) => requirements.includes(requirement)) ?? parts[0]!;
    left = [...left.filter((group) => !parts.includes(group)), merged(root, parts)];
  }
  return left.sort(worstFirst);
}

function merged(root: FailureGroup, parts: readonly FailureGroup[]): FailureGroup {
  const all = [root, ...parts.filter((part) => part !== root)];
  return {
    root: root.root,
    requirements: [...new Set(all.flatMap(({ requirements }) => requirements))],
    checks: [...new Set(all.flatMap(({ checks }) => checks))],
    exchanges: [...new Set(all.flatMap(({ exchanges }) => exchanges))],
    severity: [...all].sort(worstFirst)[0]!.severity,
    blocks: all.reduce((sum, { blocks }) => sum + blocks, 0),
  };
}

/** Sorts by severity, then by how many checks a group blocks, then by how many failed in it. */
function worstFirst(a: FailureGroup, b: FailureGroup): number {
  return (
    SEVERITY_RANK[a.severity] - SEVERITY_RANK[b.severity] ||
    b.blocks - a.blocks ||
    b.checks.length - a.checks.length
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

/**
 * How deep inside an answer a pointer leads: the status is 0,
 * the body as a whole 1, a header 2, a property 3 or more.
 */
function depthOf(pointer: string | undefined): number {
  if (pointer === 'status') return 0;
  if (pointer === undefined) return 2;
  if (pointer === '') return 1;
  return pointer.startsWith('header:') ? 2 : 1 + pointer.split('/').length;
}

/**
 * Sorts the likeliest root first. Between equals that is the failure found last: general requirements are
 * looked at first, and a special one says more about the fault.
 */
function byRoot(a: Failure, b: Failure): number {
  return (
    b.blocks - a.blocks ||
    a.depth - b.depth ||
    SEVERITY_RANK[a.severity] - SEVERITY_RANK[b.severity] ||
    b.checks.length - a.checks.length ||
    b.nth - a.nth
  );
}

/**
 * Whether the failure `other` may follow from `root`: at least half of its
 * exchanges are the root's as well, and two of their findings are related. Two
 * properties of an answer that are wrong in different ways are two faults.
 */
function restsOn(other: Failure, root: Failure): boolean {
  const common = [...other.exchanges].filter((id) => root.exchanges.has(id)).length;
  if (common === 0 || common * 2 < other.exchanges.size) return false;
  return other.findings.some((one) =>
    root.findings.some((another) => meet(one, another) && areRelated(one, another)),
  );
}

/** Whether two findings share an exchange. */
function meet(one: Finding, other: Finding): boolean {
  const ids = [one.exchange, one.by].filter((id) => id !== undefined);
  return ids.includes(other.exchange ?? '') || ids.includes(other.by ?? '');
}

/** Whether the place of one finding contains that of the other, or both values are wrong in the same way. */
function areRelated(one: Finding, other: Finding): boolean {
  const [a, b] = [placeOf(one), placeOf(other)];
  if (a === undefined || b === undefined || `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`))
    return true;
  return isManner(one.found) && kindOf(one) === kindOf(other);
}

/**
 * Whether the value found says in which way it is wrong, as `null` does; a wrong string or number does not.
 */
function isManner(found = ''): boolean {
  return !/^["\d-]/.test(found);
}

/**
 * The property that a finding is about, with `*` for the
 * index of an item; undefined for an answer as a whole.
 */
function placeOf({ pointer }: Finding): string | undefined {
  if (pointer === undefined || pointer === '' || pointer === 'status') return undefined;
  return pointer.replace(/\/\d+(?=\/|$)/g, '/*');
}

/** The kind of value that was found: a word (`null`, `missing`), or the bracket of an object or an array. */
function kindOf({ found = '' }: Finding): string {
  return /^[[{]/.test(found) ? found[0]! : found;
}

function groupOf(failures: readonly Failure[]): FailureGroup {
  const [root] = failures as [Failure, ...Failure[]];
  const severity = failures
    .map((one) => one.severity)
    .sort((a, b) => SEVERITY_RANK[a] - SEVERITY_RANK[b])[0]!;
  return {
    root: root.id,
    requirements: failures.map(({ id }) => id),
    checks: [...new Set(failures.flatMap(({ checks }) => checks))],
    exchanges: [...new Set(failures.flatMap(({ shown }) => [...shown]))],
    severity,
    blocks: failures.reduce((sum, { blocks }) => sum + blocks, 0),
  };
}
