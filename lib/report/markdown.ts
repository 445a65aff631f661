/**
 * The summary of a run as Markdown, for a job summary, a pull request or a chat. The first screen holds what
 * matters; the rest follows as far as there is room.
 */
import { requestLine } from '../check/message.ts';
import type {
  CheckResult,
  Exchange,
  Finding,
  RequirementResult,
  RunReport,
  Verdict,
} from '../model/results.ts';
import { codeBlock, codeSpan, plain } from './markdown-text.ts';
import { repeaterFor } from './repeat.ts';
import { unlockLines } from './unlock.ts';
import {
  causeSentence,
  count,
  decisiveExchange,
  duration,
  exchangesById,
  failures,
  fixFirst,
  groupFacts,
  groupWords,
  headline,
  isPartial,
  notesOf,
  placeOf,
} from './words.ts';

/**
 * As many bytes as a person reads in a pull request. GitHub accepts 1 MiB, but for a whole job, including the
 * summaries of other steps.
 */
const LIMIT = 16_000;
/** How many failures are on the first screen. */
const FIRST = 10;

/** Collects blocks as long as there is room. */
class Page {
  readonly #blocks: string[] = [];
  #left = LIMIT - Buffer.byteLength(REST) - 4;

  /** Adds a block whole, or not at all. */
  add(block: string): boolean {
    const size = Buffer.byteLength(block) + 2;
    if (size > this.#left) return false;
    this.#left -= size;
    this.#blocks.push(block);
    return true;
  }

  /**
   * Adds a list that is folded until somebody opens it, with
   * as many of its items as fit into `share` of the room left.
   */
  fold(title: string, items: readonly string[], share = 1): void {
    if (items.length === 0) return;
    const head = `<details><summary>${title}</summary>\n\n`;
    const foot = (left: number) =>
      `${left === 0 ? '' : `\n\n… and ${left} more in \`index.html\` and \`report.json\``}\n\n</details>`;
    let room = this.#left * share - Buffer.byteLength(head + foot(items.length)) - 4;
    const kept: string[] = [];
    for (const item of items) {
      room -= Buffer.byteLength(item) + 2;
      if (room < 0) break;
      kept.push(item);
    }
    if (kept.length > 0) this.add(`${head}${kept.join('\n\n')}${foot(items.length - kept.length)}`);
  }

  toString(): string {
    return `${[...this.#blocks, REST].join('\n\n')}\n`;
  }
}

const REST = '_All of it, with the evidence, is in `index.html` and `report.json`._';

/** Returns the run as Markdown of at most 16 KB. */
export function markdown(report: RunReport): string {
  const page = new Page();
  const mark = { 0: isPartial(report) ? '🟡' : '✅', 1: '❌', 3: '⚠️' }[report.exitCode];
  page.add(`# ${mark} ${headline(report)}: ${codeSpan(report.target.title ?? report.target.name, 100)}`);
  page.add(`**${plain(report.summary)}**`);
  for (const line of notesOf(report)) page.add(plain(line));
  page.add(suiteTable(report));
  const failed = failures(report);
  if (report.groups.length > 1) page.add(toFixFirst(report));
  if (failed.length > 0) addFailures(page, report, failed);
  for (const diagnosis of report.diagnoses.slice(0, 3)) {
    page.add(
      `Likely cause: ${plain(causeSentence(diagnosis))} (explains ${count(diagnosis.checks.length, 'failed check')}).`,
    );
  }
  const unlock = unlockLines(report);
  if (unlock.length > 0)
    page.add(['## What would let more be exercised', '', ...unlock.map((line) => `- ${line}`)].join('\n'));
  page.add(
    `${plain(report.startedAt)} · ${duration(report.durationMs)} · ${count(report.requests, 'request')} · seed ${report.seed} · ${plain(report.tool.name)} ${plain(report.tool.version)}`,
  );
  addDetails(page, report, failed);
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

function toFixFirst(report: RunReport): string {
  const items = fixFirst(report).map((group, i) => {
    const others = group.requirements.slice(1);
    const together = others.length > 0 ? `<br>with it: ${plain(shortened(others))}` : '';
    return `${i + 1}. **${plain(group.root)}** (${plain(groupFacts(group))})${together}`;
  });
  return ['## Fix first', '', ...items].join('\n');
}

/**
 * The failed requirements that are listed on their own: the
 * root of each group, and those that are in no group.
 */
function rootsOf({ groups }: RunReport, failed: readonly RequirementResult[]): RequirementResult[] {
  const folded = new Set(groups.flatMap(({ requirements }) => requirements.slice(1)));
  return failed.filter(({ id }) => !folded.has(id));
}

/**
 * Adds the first failures. Messages are cut, so that a
 * target cannot decide how many failures there is room for.
 */
function addFailures(page: Page, report: RunReport, failed: RequirementResult[]): void {
  const roots = rootsOf(report, failed);
  const items = roots.slice(0, FIRST).map((one) => {
    const group = report.groups.find(({ root }) => root === one.id);
    const others = group?.requirements.slice(1) ?? [];
    const also = others.length > 0 ? `<br>also ${plain(shortened(others))} (${groupWords(group!)})` : '';
    const finding = findingOf(report, one)?.finding;
    const shown = finding ? `<br>${codeSpan(finding.message, 240)}` : '';
    const facts = [
      `section ${plain(one.section)}`,
      one.severity ?? '',
      report.known.includes(one.id) ? 'known' : '',
    ].filter(Boolean);
    return `- **${plain(one.id)}** (${facts.join(', ')}): ${plain(one.title)}${shown}${also}`;
  });
  const more = roots.length > FIRST ? [`- … and ${roots.length - FIRST} more`] : [];
  page.add(['## Does not hold', '', ...items, ...more].join('\n'));
}

function findingOf(report: RunReport, one: RequirementResult) {
  for (const check of report.checks) {
    const finding = check.findings.find((candidate) => candidate.requirement === one.id);
    if (finding) return { check, finding };
  }
  return undefined;
}

/** Adds what follows the first screen, folded. Each part takes a share of the room that is left. */
function addDetails(page: Page, report: RunReport, failed: RequirementResult[]): void {
  const having = (...verdicts: Verdict[]) =>
    report.checks.filter(({ verdict }) => verdicts.includes(verdict));
  const byId = exchangesById(report);
  const undecided = having('blocked', 'errored');
  const warned = having('warned');
  const skipped = having('skipped');
  page.fold(`Undecided (${count(undecided.length, 'check')})`, byReason(undecided), 0.3);
  page.fold(`Warnings (${count(warned.length, 'check')})`, byReason(warned), 0.3);
  page.fold(`Skipped (${count(skipped.length, 'check')})`, byReason(skipped), 0.3);
  page.fold(
    `Each failure (${failed.length})`,
    // The roots of all groups come first, since there may not be room for all that each fault breaks.
    [...new Set([...rootsOf(report, failed), ...failed])].map((one) => failure(report, one, byId)),
    0.8,
  );
  page.fold(
    `How this target fills what the specification leaves open (${report.observations.length})`,
    report.observations.map(
      ({ id, question, answer }) => `- **${plain(id)}** ${plain(question)}<br>${codeSpan(answer, 160)}`,
    ),
  );
}

/** One failure with what was found, where, and how to repeat it. */
function failure(report: RunReport, one: RequirementResult, byId: ReadonlyMap<string, Exchange>): string {
  const evidence = findingOf(report, one);
  const parts = [`**${plain(one.id)}**`, `Section ${plain(one.section)}: ${plain(one.statement)}`];
  if (one.quote) parts.push(`It rests on ${codeSpan(one.quote.text)} (section ${plain(one.quote.section)}).`);
  if (evidence) {
    parts.push(codeBlock(evidence.finding.message, 'text', 1_000));
    const { pointer, expected, found } = evidence.finding;
    const facts = [
      pointer === undefined ? '' : `- where: ${codeSpan(pointer || 'the whole body')}`,
      expected === undefined ? '' : `- expected: ${codeSpan(expected)}`,
      found === undefined ? '' : `- found: ${codeSpan(found)}`,
    ].filter(Boolean);
    if (facts.length > 0) parts.push(facts.join('\n'));
    const exchange = decisiveExchange(evidence.check, evidence.finding, byId);
    const by = evidence.finding.by === undefined ? undefined : byId.get(evidence.finding.by);
    if (by) parts.push(`Done by: ${codeSpan(requestLine(by))}`);
    if (exchange && by) parts.push(`Shown by: ${codeSpan(requestLine(exchange))}`);
    parts.push(...repeatParts(evidence, byId));
    const place = placeOf(evidence.check);
    parts.push(`Check ${codeSpan(evidence.check.id)}${place === undefined ? '' : ` in ${codeSpan(place)}`}`);
  }
  if (one.cause !== undefined) parts.push(`Look first at: ${plain(one.cause)}`);
  return parts.join('\n\n');
}

/** A longer script is left to the other reports. */
const LONGEST_SCRIPT = 3_000;

/**
 * How to repeat a failure from nothing, with no token of the run, or where to find a script that is too long.
 */
function repeatParts(
  { check, finding }: { check: CheckResult; finding: Finding },
  byId: ReadonlyMap<string, Exchange>,
): string[] {
  const repeat = repeaterFor(byId).script(finding, check);
  if (!repeat || repeat.script.length > LONGEST_SCRIPT)
    return ['A script that repeats it from nothing, where one can, is in `index.html` and `junit.xml`.'];
  const first = repeat.variables.length > 0 ? ` (set ${repeat.variables.map(inCode).join(', ')} first)` : '';
  return [`Repeat it${first}:`, codeBlock(repeat.script, 'sh', LONGEST_SCRIPT)];
}

const inCode = (name: string): string => `\`${name}\``;

/** The first few of many ids, and how many more there are. */
function shortened(ids: readonly string[]): string {
  const rest = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : '';
  return `${ids.slice(0, NAMED).join(', ')}${rest}`;
}

/** How many checks are named of those that ended for the same reason. */
const NAMED = 3;

/**
 * A line for each reason, that of most checks first: a
 * missing key skips many, a server that is down blocks all.
 */
function byReason(checks: readonly CheckResult[]): string[] {
  const groups = new Map<string, string[]>();
  for (const check of checks) {
    const reason = (check.reason ?? check.findings[0]?.message ?? '').split('\n')[0]!;
    groups.set(reason, [...(groups.get(reason) ?? []), check.id]);
  }
  return [...groups]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(
      ([reason, ids]) => `- ${codeSpan(reason)}<br>${count(ids.length, 'check')}: ${plain(shortened(ids))}`,
    );
}
