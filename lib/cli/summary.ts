import pc from 'picocolors';
import type { CheckResult, RunReport, Totals } from '../model/results.ts';
import { inert } from '../report/terminal-safe.ts';
import { unlockLines } from '../report/unlock.ts';
import { baselineLines, count, headline, isPartial } from '../report/words.ts';
import { mark } from './progress.ts';

/** What belongs to the end of a run besides the report. */
export interface Closing {
  /** Mistakes of the suite itself. */
  problems: string[];
  /** Files that were written. */
  files: string[];
  /** What suites counted, by name. */
  counts?: Record<string, number>;
}

/** How many leftovers are printed; the report has all of them. */
const LEFT = 5;
/** How many failures are printed whole; the reports have all of them. */
const WHOLE = 20;

/** Prints failures with the exchange that shows them, what is undecided, and the totals of each suite. */
export function printSummary(out: NodeJS.WritableStream, report: RunReport, closing: Closing): void {
  const { checks } = report;
  const failed = checks.filter((c) => c.verdict === 'failed');
  for (const check of failed.slice(0, WHOLE)) out.write(paragraph(check));
  if (failed.length > WHOLE)
    out.write(
      `\n${count(failed.length - WHOLE, 'more failed check')} ${failed.length - WHOLE === 1 ? 'is' : 'are'} in the report\n`,
    );
  for (const diagnosis of report.diagnoses) {
    out.write(
      `\n${pc.bold('likely')}  this is what an implementation does that ${inert(diagnosis.sentence)}\n`,
    );
  }
  group(
    out,
    'warned',
    checks.filter((c) => c.verdict === 'warned'),
  );
  group(
    out,
    'undecided',
    checks.filter((c) => c.verdict === 'blocked' || c.verdict === 'errored'),
  );
  group(
    out,
    'skipped',
    checks.filter((c) => c.verdict === 'skipped'),
  );
  out.write('\n');
  const width = Math.max(...report.suites.map((s) => s.name.length));
  for (const suite of report.suites)
    out.write(`${pc.bold(suite.name.padEnd(width))}  ${counts(suite.totals)}\n`);
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
  for (const line of unlockLines(report)) out.write(`${pc.yellow('would add')}  ${inert(line)}\n`);
  for (const gate of report.gates ?? []) out.write(`${pc.red('not met')}  ${inert(gate)}\n`);
  for (const line of baselineLines(report)) out.write(`${pc.yellow('baseline')}  ${inert(line)}\n`);
  for (const problem of closing.problems) out.write(`${pc.red('mistake in the suite')}  ${inert(problem)}\n`);
  const { leftovers = [], stays = [] } = report;
  for (const left of leftovers.slice(0, LEFT)) out.write(`${pc.yellow('not put back')}  ${inert(left)}\n`);
  const more = leftovers.length > LEFT ? `${leftovers.length - LEFT} more; ` : '';
  if (leftovers.length > 0) out.write(`${pc.yellow('not put back')}  ${more}\`conform clean\` tries again\n`);
  for (const each of stays) out.write(`${pc.dim('stays')}  ${inert(each)}\n`);
  if (closing.files.length > 0) out.write(`${pc.dim('reports')}  ${closing.files.join('  ')}\n`);
}

function paragraph(check: CheckResult): string {
  const reason = inert(check.reason ?? '').replaceAll('\n', '\n    ');
  return `\n${mark(check.verdict)} ${pc.bold(check.id)}  ${inert(check.title)}\n    ${reason}\n`;
}

/** Checks that ended for the same reason are one line: a missing key skips many. */
function group(out: NodeJS.WritableStream, label: string, checks: CheckResult[]): void {
  const byReason = new Map<string, CheckResult[]>();
  for (const check of checks) {
    const reason = (check.reason ?? '').split('\n')[0]!;
    byReason.set(reason, [...(byReason.get(reason) ?? []), check]);
  }
  for (const [reason, same] of byReason) {
    const names =
      same.length > 3
        ? `${same
            .slice(0, 3)
            .map((c) => c.id)
            .join(', ')} and ${same.length - 3} more`
        : same.map((c) => c.id).join(', ');
    out.write(`${mark(same[0]!.verdict)} ${label}  ${names}\n    ${pc.dim(inert(reason))}\n`);
  }
}

function counts(t: Totals): string {
  const parts = [
    `${t.exercised} of ${t.requirements} requirements exercised`,
    pc.green(`${t.passed} ${t.passed === 1 ? 'holds' : 'hold'}`),
  ];
  if (t.failed > 0) parts.push(pc.red(`${t.failed} ${t.failed === 1 ? 'does' : 'do'} not`));
  if (t.blocked + t.errored > 0) parts.push(pc.yellow(`${t.blocked + t.errored} undecided`));
  if (t.skipped > 0) parts.push(pc.dim(`${t.skipped} skipped`));
  if (t.warned > 0) parts.push(pc.yellow(`${t.warned} warned`));
  parts.push(pc.dim(`${t.observed} ${t.observed === 1 ? 'silence' : 'silences'} observed`));
  return parts.join(', ');
}

function verdict(report: RunReport): string {
  const words = pc.bold(headline(report).toLowerCase());
  if (report.exitCode === 1) return pc.red(words);
  return report.exitCode === 0 && !isPartial(report) ? pc.green(words) : pc.yellow(words);
}
