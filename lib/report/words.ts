/**
 * The words and figures that every reporter uses, so that all of them say the same thing.
 */
import { SEVERITY_RANK } from '../model/catalogue/types.ts';
import type {
  CheckResult,
  Diagnosis,
  Exchange,
  FailureGroup,
  Finding,
  RequirementResult,
  RunReport,
  Verdict,
} from '../model/results.ts';
import { isUndecided } from '../model/undecided.ts';

/** The outcome of a requirement as reports show it: a verdict, or why there is none. */
export type Outcome = Verdict | 'untestable' | 'not-run';

/** Every outcome, those that need attention first. */
export const OUTCOMES: readonly Outcome[] = [
  'failed',
  'errored',
  'blocked',
  'warned',
  'passed',
  'observed',
  'skipped',
  'not-run',
  'untestable',
];

/** Returns the outcome of a requirement. */
export function outcomeOf(requirement: RequirementResult): Outcome {
  return requirement.verdict ?? (requirement.level === 'untestable' ? 'untestable' : 'not-run');
}

/** The verdict of the whole run in two or three words. */
export function headline(report: RunReport): string {
  const stopped = report.interrupted !== undefined;
  if (isOnlyUnmet(report)) return 'A condition is not met';
  if (report.exitCode === 1) return stopped ? 'Not conformant, interrupted' : 'Not conformant';
  if (report.exitCode === 3) {
    if (stopped) return 'Interrupted';
    return isOnlyLeft(report) ? 'Not everything was put back' : 'Undecided';
  }
  const found = report.known.length > 0 ? 'No new violation' : 'No violation found';
  return isPartial(report) ? `${found}, in part` : found;
}

/** Whether a run fails although no requirement does: a condition of the run itself (its gates) is not met. */
export function isOnlyUnmet({ exitCode, totals, gates = [] }: RunReport): boolean {
  return exitCode === 1 && totals.failed === 0 && gates.length > 0;
}

/** Whether a run is not fine only because it left something behind on the target. */
function isOnlyLeft({ exitCode, totals, checks, known, leftovers = [] }: RunReport): boolean {
  if (exitCode !== 3 || leftovers.length === 0 || totals.exercised === 0) return false;
  const excused = new Set(known);
  return !checks.some((check) => isUndecided(check, excused));
}

/** Whether requirements were left out. Then a run without a violation does not prove conformance. */
export function isPartial({ totals, chosen, budget }: RunReport): boolean {
  const isCut = budget !== undefined && budget.checks < budget.of;
  return isCut || chosen !== undefined || totals.exercised < totals.requirements;
}

/**
 * A sentence on what a run with a budget looked at, and what
 * one without would find; none where there was no budget.
 */
export function budgetLines({ budget }: Pick<RunReport, 'budget'>): string[] {
  if (budget === undefined) return [];
  const { requests, checks, of, deviations } = budget;
  const { known, caught, catchable } = deviations;
  const rest =
    catchable > caught
      ? `; a run without a budget catches ${(catchable - caught).toLocaleString('en')} more (${percent(catchable, known)} in all)`
      : '';
  return [
    `a budget of ${count(requests, 'request')} pays for ${checks.toLocaleString('en')} of ${count(of, 'check')}, which catch ${caught.toLocaleString('en')} of ${count(known, 'known deviation')} (${percent(caught, known)})${rest}`,
  ];
}

function percent(part: number, whole: number): string {
  return whole === 0 ? 'none' : `${Math.floor((100 * part) / whole)} %`;
}

/** Returns what else has to be said of a run besides its verdict, the most important first. */
export function notesOf(report: RunReport): string[] {
  return [
    ...unansweredLines(report),
    ...(report.gates ?? []),
    ...budgetLines(report),
    ...baselineLines(report),
  ];
}

/** Where fewer checks had no answer, each says so itself, and no line is added. */
const MANY_UNASKED = 5;

/**
 * Says where the target stopped answering for good, and what that cost. The request at which it stopped may
 * have crashed it.
 */
export function unansweredLines({ checks }: RunReport): string[] {
  const unasked = new Map<string, number>();
  for (const { verdict, reason = '' } of checks) {
    const origin = /^(\S+) stopped answering /.exec(reason)?.[1];
    if (verdict === 'errored' && origin !== undefined) unasked.set(origin, (unasked.get(origin) ?? 0) + 1);
  }
  if (unasked.size === 0) return [];
  const sent = checks.flatMap(({ exchanges }) => exchanges);
  return [...unasked].flatMap(([origin, n]) => {
    const own = sent
      .filter(({ request }) => request.url.startsWith(`${origin}/`))
      .sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));
    const last = own.findLastIndex(({ response }) => response !== undefined);
    const first = own[last + 1];
    if (n < MANY_UNASKED || last === -1 || first === undefined) return [];
    const { method, url } = first.request;
    return [
      `the target stopped answering at "${first.purpose}" (${method} ${url}: ${first.error ?? 'no answer'}); that request, or one before it, may have ended it. ${count(n, 'check')} could not be decided after that`,
    ];
  });
}

/** Notes on the user's baseline: entries that no longer belong there, unless a gate reports them already. */
export function baselineLines({ baseline = [], known, gates = [] }: RunReport): string[] {
  const lines = baseline.flatMap(({ id, state, expires }) => {
    if (state === 'holds') return [`${id} holds now: remove the entry`];
    return state === 'expired' ? [`${id} expired on ${expires} and counts no more`] : [];
  });
  if (known.length > 0)
    lines.unshift(`${count(known.length, 'failure')} ${known.length === 1 ? 'is' : 'are'} known`);
  return gates.length > 0 ? lines.filter((line) => !/remove the entry|counts no more/.test(line)) : lines;
}

/** Whether everything that fails in a check, or what blocks it, is on the user's list of known failures. */
export function isKnown(report: RunReport, check: CheckResult): boolean {
  if (check.verdict === 'blocked') return !isUndecided(check, new Set(report.known));
  const failed = Object.keys(check.verdicts).filter((id) => check.verdicts[id] === 'failed');
  return failed.length > 0 && failed.every((id) => report.known.includes(id));
}

const figures = new Intl.NumberFormat('en-US');

/** `1 check`, `2 checks`. */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${figures.format(n)} ${n === 1 ? noun : plural}`;
}

/** A duration as people write it: `12 ms`, `1.4 s`, `3 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Returns all exchanges of a run by id. */
export function exchangesById(report: RunReport): Map<string, Exchange> {
  return new Map(
    report.checks.flatMap((check) => check.exchanges.map((exchange) => [exchange.id, exchange])),
  );
}

/** The exchange that shows a finding: the one that it names, or else the last one of the check. */
export function decisiveExchange(
  check: CheckResult,
  finding: Finding | undefined,
  byId: ReadonlyMap<string, Exchange>,
): Exchange | undefined {
  const named = finding?.exchange === undefined ? undefined : byId.get(finding.exchange);
  return named ?? check.exchanges.at(-1);
}

/**
 * The requirement that a failed check names first. It is one
 * that failed, and need not be the first that the check cites.
 */
export function blamed(check: CheckResult): string {
  const failed = (id: string) => check.verdicts[id] === 'failed';
  return (
    check.findings.map(({ requirement }) => requirement).find(failed) ??
    check.requirements.find(failed) ??
    check.id
  );
}

/**
 * What a group of failures has in common, such as `1 answer violates 6 requirements`;
 * empty for a group of one.
 */
export function groupWords({ requirements, exchanges }: FailureGroup): string {
  if (requirements.length < 2) return '';
  const what = count(requirements.length, 'requirement');
  if (exchanges.length === 0) return `${what} fail together`;
  return exchanges.length === 1
    ? `1 answer violates ${what}`
    : `${count(exchanges.length, 'answer')} violate ${what}`;
}

/**
 * The facts beside the root of a group: its severity, what the group has in common, and what waits for it.
 */
export function groupFacts(group: FailureGroup): string {
  const waiting =
    group.blocks > 0 ? `${count(group.blocks, 'check')} ${group.blocks === 1 ? 'waits' : 'wait'} for it` : '';
  return [group.severity, groupWords(group), waiting].filter(Boolean).join('; ');
}

/** Returns the groups of failures to fix first: at most five, without known failures. */
export function fixFirst({ groups, known }: RunReport): FailureGroup[] {
  return groups.filter(({ requirements }) => !requirements.every((id) => known.includes(id))).slice(0, 5);
}

/** Returns the failed check that shows the failure of a requirement, with its finding. */
export function shownBy(
  report: RunReport,
  requirement: string,
): { check: CheckResult; finding: Finding } | undefined {
  for (const check of report.checks) {
    const finding = check.findings.find((each) => each.requirement === requirement);
    if (finding && check.verdict === 'failed') return { check, finding };
  }
  return undefined;
}

/**
 * The part of a check's reason that is about one finding. A reason contains its findings one after the other,
 * with all but the first line of each indented.
 */
export function reasonFor(check: CheckResult, finding: Finding | undefined): string {
  const parts = (check.reason ?? '').split(/\n(?! )/);
  return (
    parts.find((part) => finding !== undefined && part.startsWith(finding.message)) ?? check.reason ?? ''
  );
}

/** Returns the likely cause as a sentence. */
export function causeSentence({ deviation, requirement, sentence: cause }: Diagnosis): string {
  return deviation === undefined
    ? `what failed fits with one fault: ${requirement} (${cause}) does not hold`
    : `this is what an implementation does that ${cause.replace(/^an implementation that /, '')}`;
}

/** `suites/x/y.suite.ts:12`, where the line is known. */
export function placeOf({ source }: Pick<CheckResult, 'source'>): string | undefined {
  return source && `${source.file}:${source.line}`;
}

/**
 * Returns the requirements that do not hold, the worst first,
 * and within a severity in the order of the catalogue.
 */
export function failures(report: RunReport): RequirementResult[] {
  const rank = (one: RequirementResult) => SEVERITY_RANK[one.severity ?? 'major'];
  return report.requirements.filter((one) => one.verdict === 'failed').sort((a, b) => rank(a) - rank(b));
}
