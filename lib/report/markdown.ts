/**
 * The summary of a run as Markdown: for a job summary, a pull request, a chat. The first screen holds
 * what matters; the rest follows as far as it fits.
 */
import type { CheckResult, RequirementResult, RunReport } from '../model/results.ts';
import { curlCommand } from './curl.ts';
import { clip, inert, inertLine } from './terminal-safe.ts';
import {
  baselineLines,
  count,
  decisiveExchange,
  duration,
  exchangesById,
  failures,
  headline,
  isPartial,
} from './words.ts';

/** GitHub refuses a job summary above 1 MiB. */
const LIMIT = 1_000_000;
/** So many failures stand in the first screen. */
const FIRST = 10;

/**
 * Text from a target as a code span: nothing in it is markup. One line, at most `limit` characters;
 * the fence is longer than any run of backticks in it. Not for table cells, which a bar would end.
 */
export function codeSpan(text: string, limit = 300): string {
  const line = inertLine(text, limit);
  if (line.trim() === '') return '(empty)';
  const fence = '`'.repeat(longestRun(line) + 1);
  return `${fence} ${line} ${fence}`;
}

/** Text from a target as a block of code. */
export function codeBlock(text: string, language = 'text', limit = 4000): string {
  const body = clip(inert(text), limit);
  const fence = '`'.repeat(Math.max(3, longestRun(body) + 1));
  return `${fence}${language}\n${body}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
}

/** The suite's own words, on one line: code marks stay, whatever else Markdown or HTML would act on is escaped. */
function plain(text: string): string {
  const parts = inertLine(text).split('`');
  if (parts.length % 2 === 0) return escapeMarkup(parts.join("'"));
  return parts.map((part, i) => (i % 2 === 1 ? `\`${part}\`` : escapeMarkup(part))).join('');
}

function escapeMarkup(text: string): string {
  return text
    .replace(/[\\*_{}[\]#|~]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;')
    .replace(/:\/\//g, '&#58;//');
}

/** Collects blocks up to the limit, and says when something had to be left out. */
class Page {
  private parts: string[] = [];
  private bytes = 0;
  private full = false;

  add(block: string): void {
    if (this.full) return;
    const size = Buffer.byteLength(block) + 2;
    if (this.bytes + size > LIMIT) {
      this.full = true;
      this.parts.push(
        '_The rest is left out here to stay below 1 MiB; it is in `index.html` and `report.json`._',
      );
      return;
    }
    this.bytes += size;
    this.parts.push(block);
  }

  toString(): string {
    return `${this.parts.join('\n\n')}\n`;
  }
}

/** The run as Markdown of at most 1 MiB. */
export function markdown(report: RunReport): string {
  const page = new Page();
  const mark = { 0: isPartial(report) ? '🟡' : '✅', 1: '❌', 3: '⚠️' }[report.exitCode];
  page.add(`# ${mark} ${headline(report)}: ${codeSpan(report.target.title ?? report.target.name, 100)}`);
  page.add(`**${plain(report.summary)}**`);
  for (const line of [...(report.gates ?? []), ...baselineLines(report)]) page.add(plain(line));
  page.add(suiteTable(report));
  const failed = failures(report);
  if (failed.length > 0) page.add(firstFailures(report, failed));
  for (const { sentence: cause, checks } of report.diagnoses.slice(0, 3)) {
    page.add(
      `Likely cause: this is what an implementation does that ${plain(cause.replace(/^an implementation that /, ''))} (explains ${count(checks.length, 'failed check')}).`,
    );
  }
  page.add(
    `${plain(report.startedAt)} · ${duration(report.durationMs)} · ${count(report.requests, 'request')} · seed ${report.seed} · ${plain(report.tool.name)} ${plain(report.tool.version)}`,
  );
  for (const block of details(report, failed)) page.add(block);
  return page.toString();
}

function suiteTable(report: RunReport): string {
  const rows = report.suites.map(({ title, totals }) => [
    plain(title),
    `${totals.exercised} of ${totals.requirements}`,
    totals.passed,
    totals.failed === 0 ? 0 : `**${totals.failed}**`,
    totals.blocked + totals.errored,
    totals.skipped,
    totals.warned,
    totals.observed,
  ]);
  return table(
    ['Suite', 'Exercised', 'Hold', 'Do not hold', 'Undecided', 'Skipped', 'Warnings', 'Observed'],
    rows,
  );
}

function table(head: string[], rows: (string | number)[][]): string {
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

function firstFailures(report: RunReport, failed: RequirementResult[]): string {
  const items = failed.slice(0, FIRST).map((one) => {
    const finding = findingOf(report, one)?.finding;
    const shown = finding ? `<br>${codeSpan(finding.message)}` : '';
    const facts = [
      `section ${plain(one.section)}`,
      one.severity ?? '',
      report.known.includes(one.id) ? 'known' : '',
    ].filter(Boolean);
    return `- **${plain(one.id)}** (${facts.join(', ')}): ${plain(one.title)}${shown}`;
  });
  const more = failed.length > FIRST ? [`- … and ${failed.length - FIRST} more below`] : [];
  return ['## Does not hold', '', ...items, ...more].join('\n');
}

function findingOf(report: RunReport, one: RequirementResult) {
  for (const check of report.checks) {
    const finding = check.findings.find((candidate) => candidate.requirement === one.id);
    if (finding) return { check, finding };
  }
  return undefined;
}

function* details(report: RunReport, failed: RequirementResult[]): Generator<string> {
  const byId = exchangesById(report);
  if (failed.length > 0) yield '## Each failure';
  for (const one of failed) {
    const evidence = findingOf(report, one);
    const parts = [`### ${plain(one.id)}`, `Section ${plain(one.section)}: ${plain(one.statement)}`];
    if (evidence) {
      parts.push(codeBlock(evidence.finding.message));
      const { pointer, expected, found } = evidence.finding;
      const facts = [
        pointer === undefined ? '' : `- where: ${codeSpan(pointer || 'the whole body')}`,
        expected === undefined ? '' : `- expected: ${codeSpan(expected)}`,
        found === undefined ? '' : `- found: ${codeSpan(found)}`,
      ].filter(Boolean);
      if (facts.length > 0) parts.push(facts.join('\n'));
      const exchange = decisiveExchange(evidence.check, evidence.finding, byId);
      if (exchange) parts.push(codeBlock(curlCommand(exchange).command, 'sh'));
    }
    if (one.cause !== undefined) parts.push(`Look first at: ${plain(one.cause)}`);
    yield parts.join('\n\n');
  }
  const undecided = report.checks.filter(({ verdict }) => verdict === 'blocked' || verdict === 'errored');
  yield* checkList('Undecided', undecided);
  yield* checkList(
    'Warnings',
    report.checks.filter(({ verdict }) => verdict === 'warned'),
  );
  yield* skipped(report);
  if (report.observations.length > 0) {
    yield '## How this target fills what the specification leaves open';
    for (const { id, question, answer } of report.observations) {
      yield `- **${plain(id)}** ${plain(question)}<br>${codeSpan(answer, 1000)}`;
    }
  }
}

function* checkList(title: string, checks: CheckResult[]): Generator<string> {
  if (checks.length > 0) yield `## ${title}`;
  for (const check of checks) {
    yield `- **${plain(check.id)}** (${check.verdict}): ${plain(check.title)}<br>${codeSpan(check.reason ?? check.findings[0]?.message ?? '', 600)}`;
  }
}

/** Skipped checks by reason: the reason names the key of the configuration to set. */
function* skipped(report: RunReport): Generator<string> {
  const byReason = new Map<string, string[]>();
  for (const check of report.checks) {
    if (check.verdict !== 'skipped') continue;
    const reason = check.reason ?? 'no reason given';
    byReason.set(reason, [...(byReason.get(reason) ?? []), check.id]);
  }
  if (byReason.size > 0) yield '## Skipped';
  for (const [reason, ids] of byReason) {
    yield `- ${codeSpan(reason, 600)}<br>${count(ids.length, 'check')}: ${plain(ids.join(', '))}`;
  }
}
