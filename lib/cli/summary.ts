import { basename } from 'node:path';
import pc from 'picocolors';
import type {
  CheckResult,
  Exchange,
  FailureGroup,
  Finding,
  RunReport,
  Totals,
  Verdict,
} from '../model/results.ts';
import { type Figure, figuresOf } from '../model/totals.ts';
import { inert, inertLine } from '../report/terminal-safe.ts';
import { unlockLines } from '../report/unlock.ts';
import {
  baselineLines,
  budgetLines,
  causeSentence,
  count,
  fixFirst,
  groupFacts,
  groupWords,
  headline,
  isPartial,
  placeOf,
  reasonFor,
  shownBy,
  unansweredLines,
} from '../report/words.ts';
import { filesIn } from './files.ts';
import { mark } from './progress.ts';

/** What is printed at the end of a run besides its report. */
export interface Closing {
  /** Mistakes in the suite itself. */
  problems: string[];
  /** Paths of the files that were written. */
  files: string[];
  /** A sentence for each report that could not be written. */
  unwritten?: readonly string[];
  /** The suites' own counters, by name. */
  counts?: Record<string, number>;
}

/** How many leftovers, and requirements left undecided, are printed; the report has all of them. */
const LEFT = 5;
/** How many failures are printed in full; the reports have all of them. */
const WHOLE = 20;

/** Prints failures with the exchange that shows them, what is undecided, and the totals of each suite. */
export function printSummary(out: NodeJS.WritableStream, report: RunReport, closing: Closing): void {
  const { checks } = report;
  for (const each of report.groups.slice(0, WHOLE)) out.write(failure(report, each));
  if (report.groups.length > WHOLE)
    out.write(`\n${amount(report.groups.length - WHOLE, 'more failure')} in the report\n`);
  out.write(toFixFirst(report));
  for (const diagnosis of report.diagnoses)
    out.write(`\n${pc.bold('likely')}  ${inert(causeSentence(diagnosis))}\n`);
  for (const warned of warnings(report)) out.write(warned);
  group(
    out,
    'undecided',
    checks.filter(({ verdict }) => isUndecided(verdict)),
  );
  const cutShort = leftUndecided(report);
  for (const each of cutShort.slice(0, LEFT)) out.write(each);
  if (cutShort.length > LEFT)
    out.write(`    ${pc.dim(`and ${amount(cutShort.length - LEFT, 'more requirement')} in the report`)}\n`);
  group(
    out,
    'skipped',
    checks.filter((c) => c.verdict === 'skipped'),
  );
  out.write('\n');
  // A run that was narrowed down says nothing about suites from which it chose nothing.
  const looked = new Set(report.requirements.map(({ suite }) => suite));
  const suites = report.suites.filter(({ name }) => !report.chosen || looked.has(name));
  const width = Math.max(0, ...suites.map((s) => s.name.length));
  for (const suite of suites) out.write(`${pc.bold(suite.name.padEnd(width))}  ${counts(suite.totals)}\n`);
  const seconds = (report.durationMs / 1000).toFixed(1);
  const counted = Object.entries(closing.counts ?? {})
    .map(([what, count]) => `${count} ${what}, `)
    .join('');
  out.write(`\n${verdict(report)}  ${report.summary}\n`);
  out.write(
    pc.dim(
      `${count(checks.length, 'check')}, ${count(report.requests, 'request')}, ${counted}${seconds} s, seed ${report.seed}\n`,
    ),
  );
  if (report.shard && checks.length === 0)
    out.write(
      `${pc.yellow('no checks')}  shard ${report.shard.index} of ${report.shard.of}: the other shards have all of them\n`,
    );
  for (const line of unlockLines(report)) out.write(`${pc.yellow('would add')}  ${inert(line)}\n`);
  for (const line of unansweredLines(report)) out.write(`${pc.yellow('no answer')}  ${inert(line)}\n`);
  for (const line of budgetLines(report)) out.write(`${pc.yellow('budget')}  ${line}\n`);
  for (const gate of report.gates ?? []) out.write(`${pc.red('not met')}  ${inert(gate)}\n`);
  for (const line of baselineLines(report)) out.write(`${pc.yellow('baseline')}  ${inert(line)}\n`);
  for (const problem of closing.problems) out.write(`${pc.red('mistake in the suite')}  ${inert(problem)}\n`);
  printLeft(out, report);
  printReports(out, closing);
  const hasScripts = closing.files.some((file) => basename(file) === 'index.html');
  if (hasScripts && report.groups.length > 0)
    out.write(`${pc.dim('repeat it')}  index.html has a shell script beside each failure\n`);
}

/** Prints which reports were written, and which could not be. */
export function printReports(
  out: NodeJS.WritableStream,
  { files, unwritten = [] }: Pick<Closing, 'files' | 'unwritten'>,
): void {
  if (files.length > 0) out.write(`${pc.dim('reports')}  ${filesIn(files)}\n`);
  for (const line of unwritten) out.write(`${pc.red('not written')}  ${inert(line)}\n`);
}

/** Prints what a run did not put back, and what nothing can take back. */
export function printLeft(out: NodeJS.WritableStream, { leftovers = [], stays = [] }: RunReport): void {
  for (const left of leftovers.slice(0, LEFT)) out.write(`${pc.yellow('not put back')}  ${inert(left)}\n`);
  const more = leftovers.length > LEFT ? `${leftovers.length - LEFT} more; ` : '';
  if (leftovers.length > 0) out.write(`${pc.yellow('not put back')}  ${more}\`conform clean\` tries again\n`);
  for (const each of stays) out.write(`${pc.dim('stays')}  ${inert(each)}\n`);
}

/** A group of failures: its root in full, and the ids of the other requirements. */
function failure(report: RunReport, each: FailureGroup): string {
  const title = report.requirements.find(({ id }) => id === each.root)?.title ?? '';
  const shown = shownBy(report, each.root);
  const lines = shown ? details(report, shown.check, shown.finding) : [''];
  const others = each.requirements.slice(1);
  if (others.length > 0) lines.push(`  also      ${named(others)}  (${groupWords(each)})`);
  return `\n${mark('failed')} ${pc.bold(each.root)}  ${inert(title)}\n    ${lines.join('\n    ')}\n`;
}

/** What a check found, with the request that shows it, and where the check is defined. */
function details({ checks }: RunReport, check: CheckResult, finding: Finding | undefined): string[] {
  const lines = inert(reasonFor(check, finding)).split('\n');
  const shown = checks.flatMap(({ exchanges }) => exchanges).find(({ id }) => id === finding?.exchange);
  const sent = lines.findIndex((line) => line.startsWith('  sent '));
  if (shown && sent >= 0) lines.splice(sent + 1, 0, ...alteredHeaders(shown));
  const place = [check.id, placeOf(check) ?? ''].filter(Boolean).join('  ');
  return [...lines, `  check     ${place}`];
}

/**
 * Headers in which a secret was altered before it was sent. Without them, the request looks like a valid one.
 */
function alteredHeaders({ request }: Exchange): string[] {
  return request.headers
    .filter(([, value]) => /«[^»]*…»/.test(value))
    .map(([name, value]) => `  with      ${inertLine(name)}: ${inertLine(value)}`);
}

/** Each advised requirement that does not hold, with the first check that shows it. */
function warnings(report: RunReport): string[] {
  const { requirements, checks } = report;
  return requirements
    .filter(({ verdict }) => verdict === 'warned')
    .flatMap(({ id, title }) => {
      const [first, ...others] = checks.filter(({ verdicts }) => verdicts[id] === 'warned');
      if (!first) return [];
      const finding = first.findings.find(({ requirement }) => requirement === id);
      const lines = details(report, first, finding);
      if (others.length > 0) lines.push(`  also      ${named(others.map((each) => each.id))}`);
      return `\n${mark('warned')} warned  ${pc.bold(id)}  ${inert(title)}\n    ${lines.join('\n    ')}\n`;
    });
}

/**
 * Requirements that no check decided although the checks
 * themselves were decided: they ended before they came to them.
 */
function leftUndecided({ requirements, checks }: RunReport): string[] {
  return requirements.flatMap(({ id, level, verdict, title }) => {
    if (level !== 'required' || verdict === undefined || !isUndecided(verdict)) return [];
    const open = checks.filter(({ verdicts }) => isUndecided(verdicts[id] ?? 'passed'));
    if (open.length === 0 || open.some((check) => isUndecided(check.verdict))) return [];
    return `${mark('blocked')} undecided  ${id}  ${inert(title)}\n    ${pc.dim(`${open[0]!.id} ${open[0]!.verdict} before it came to this`)}\n`;
  });
}

function isUndecided(verdict: Verdict): boolean {
  return verdict === 'blocked' || verdict === 'errored';
}

/** Lists what to fix first; empty where there is only one group. */
function toFixFirst(report: RunReport): string {
  const groups = fixFirst(report);
  if (groups.length < 2) return '';
  const lines = groups.map((each, i) => `  ${i + 1}. ${each.root}  ${pc.dim(groupFacts(each))}\n`);
  return `\n${pc.bold('fix first')}\n${lines.join('')}`;
}

function named(ids: readonly string[]): string {
  return ids.length > 3 ? `${ids.slice(0, 3).join(', ')} and ${ids.length - 3} more` : ids.join(', ');
}

function amount(n: number, noun: string): string {
  return `${count(n, noun)} ${n === 1 ? 'is' : 'are'}`;
}

/** Prints one line for all checks that ended for the same reason: a missing key skips many. */
function group(out: NodeJS.WritableStream, label: string, checks: CheckResult[]): void {
  const byReason = new Map<string, CheckResult[]>();
  for (const check of checks) {
    const reason = (check.reason ?? '').split('\n')[0]!;
    byReason.set(reason, [...(byReason.get(reason) ?? []), check]);
  }
  for (const [reason, same] of byReason) {
    const names = named(same.map((c) => c.id));
    out.write(`${mark(same[0]!.verdict)} ${label}  ${names}\n    ${pc.dim(inert(reason))}\n`);
  }
}

/** The colours of figures. */
const COLOURS: Readonly<Partial<Record<Figure['of'], (text: string) => string>>> = {
  passed: pc.green,
  failed: pc.red,
  undecided: pc.yellow,
  skipped: pc.dim,
};

function counts(t: Totals): string {
  const parts = figuresOf(t).map(({ of, text }) => COLOURS[of]?.(text) ?? text);
  if (t.warned > 0) parts.push(pc.yellow(`${t.warned} warned`));
  parts.push(pc.dim(`${t.observed} ${t.observed === 1 ? 'silence' : 'silences'} observed`));
  return parts.join(', ');
}

function verdict(report: RunReport): string {
  const words = pc.bold(headline(report).toLowerCase());
  if (report.exitCode === 1) return pc.red(words);
  return report.exitCode === 0 && !isPartial(report) ? pc.green(words) : pc.yellow(words);
}
