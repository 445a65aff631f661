/**
 * JUnit XML. One testcase per check, and one for the whole run where no check explains its exit status. The
 * strict profile is valid under Jenkins' junit-10.xsd. The rich one adds evidence, and a `requirements` property
 * for each testcase, which that schema does not have.
 */
import { create, type XMLElement } from 'xmlbuilder';
import type { CheckResult, Exchange, RunReport } from '../model/results.ts';
import { exchangeText, findingText, reasonText, shortReason } from './evidence-text.ts';
import { clip, inert, inertLine } from './terminal-safe.ts';
import { WHOLE_RUN, type WholeRun, wholeRun } from './whole-run.ts';
import { exchangesById, isKnown } from './words.ts';

/** `strict` is valid under junit-10.xsd, `rich` carries more. */
export type JunitProfile = 'strict' | 'rich';

/**
 * Readers such as GitLab refuse files of 30 MB and more. All texts together are kept below this many bytes.
 */
const TEXT_BUDGET = 20_000_000;
/** The most bytes of the file that one text of one testcase may take. */
const TEXT_LIMIT = 64_000;

interface Context {
  profile: JunitProfile;
  byId: ReadonlyMap<string, Exchange>;
  /** Sections of the specification by the id of a requirement. */
  sections: ReadonlyMap<string, string>;
  /** The most bytes that a text of a testcase may take. */
  limit: number;
  known: boolean;
}

/** Seconds with three decimals. */
const seconds = (ms: number): string => (Math.max(0, ms) / 1000).toFixed(3);

/** How many bytes a text takes in XML, with its markup escaped. */
function written(text: string): number {
  return Buffer.byteLength(text) + (text.match(/[&<>"\r]/g)?.length ?? 0) * 4;
}

/** Cuts a text so that it takes at most about `limit` bytes of the file. */
function bounded(text: string, limit: number): string {
  // No character takes less than a byte.
  let kept = clip(text, limit);
  for (let size = written(kept); size > limit; size = written(kept)) {
    kept = clip(kept, Math.floor(kept.length * Math.min(0.95, limit / size)));
  }
  return kept === text ? text : `${kept}\n(cut: the whole is in report.json)`;
}

/** Returns the run as JUnit XML. The totals of a suite are counts of its testcases. */
export function junit(report: RunReport, profile: JunitProfile = 'strict'): string {
  const byId = exchangesById(report);
  const limit = Math.min(TEXT_LIMIT, Math.floor(TEXT_BUDGET / (Math.max(1, report.checks.length) * 2)));
  const all = kinds(report, report.checks);
  const whole = wholeRun(report);
  const sections = new Map(report.requirements.map(({ id, section }) => [id, section]));
  const root = create(
    'testsuites',
    { version: '1.0', encoding: 'UTF-8' },
    { invalidCharReplacement: '\ufffd' },
  ).att({
    name: inert(`${report.tool.name}: ${report.target.name}`),
    time: seconds(report.durationMs),
    tests: report.checks.length + (whole ? 1 : 0),
    failures: all.failure + (whole?.verdict === 'failed' ? 1 : 0),
    errors: all.error + (whole?.verdict === 'errored' ? 1 : 0),
  });
  for (const suite of report.suites) {
    const own = report.checks.filter((check) => check.suite === suite.name);
    const counts = kinds(report, own);
    const element = root.ele('testsuite', {
      name: inert(suite.name),
      tests: own.length,
      failures: counts.failure,
      errors: counts.error,
      skipped: counts.skipped,
      time: seconds(own.reduce((sum, check) => sum + check.durationMs, 0)),
      timestamp: own.map((check) => check.startedAt).sort()[0] ?? report.startedAt,
    });
    const properties = element.ele('properties');
    for (const [name, value] of suiteProperties(report, suite.spec)) {
      properties.ele('property', { name, value: inert(value) });
    }
    const names = new Map<string, number>();
    for (const check of own) {
      const seen = names.get(check.id) ?? 0;
      names.set(check.id, seen + 1);
      const name = seen === 0 ? check.id : `${check.id} (${seen + 1})`;
      testcase(element, name, check, { profile, byId, sections, limit, known: isKnown(report, check) });
    }
  }
  if (whole) runCase(root, report, whole);
  return `${root.end({ pretty: true })}\n`;
}

/** Adds a testcase for what no check shows, such as an interruption, so that the file is not all green. */
function runCase(root: XMLElement, report: RunReport, { verdict, message, text }: WholeRun): void {
  const kind = verdict === 'failed' ? 'failure' : 'error';
  const counts = {
    tests: 1,
    failures: kind === 'failure' ? 1 : 0,
    errors: kind === 'error' ? 1 : 0,
    skipped: 0,
  };
  const time = seconds(report.durationMs);
  root
    .ele('testsuite', { name: WHOLE_RUN, ...counts, time, timestamp: report.startedAt })
    .ele('testcase', { name: 'the run as a whole', classname: WHOLE_RUN, time })
    .ele(kind, { type: verdict, message: inert(inertLine(message)) })
    .txt(inert(bounded(text, TEXT_LIMIT)));
}

/**
 * The element that a reader of JUnit counts for a check. A known failure, and what it blocks, counts as
 * skipped, so that it is not shown in red.
 */
function kindOf({ verdict }: CheckResult, known: boolean): 'failure' | 'error' | 'skipped' | undefined {
  if (known) return 'skipped';
  if (verdict === 'failed') return 'failure';
  if (verdict === 'blocked' || verdict === 'errored') return 'error';
  return verdict === 'skipped' ? 'skipped' : undefined;
}

/** How many of these checks have each of the elements. */
function kinds(
  report: RunReport,
  checks: readonly CheckResult[],
): Record<'failure' | 'error' | 'skipped', number> {
  const counts = { failure: 0, error: 0, skipped: 0 };
  for (const check of checks) {
    const kind = kindOf(check, isKnown(report, check));
    if (kind) counts[kind] += 1;
  }
  return counts;
}

function suiteProperties(report: RunReport, spec: string): [string, string][] {
  return [
    ['tool', `${report.tool.name} ${report.tool.version}`],
    ['target', report.target.name],
    ['specification', spec],
    ['seed', String(report.seed)],
    ['summary', report.summary],
  ];
}

function testcase(
  suite: XMLElement,
  name: string,
  check: CheckResult,
  { profile, byId, sections, limit, known }: Context,
): void {
  const { source } = check;
  const element = suite.ele('testcase', {
    name: inert(inertLine(`${name}: ${check.title}`)),
    classname: inert(classOf(check, sections)),
    time: seconds(check.durationMs),
    // junit-10.xsd does not have these attributes.
    ...(profile === 'rich' && source && { file: inert(source.file), line: source.line }),
  });
  if (profile === 'rich') {
    element
      .ele('properties')
      .ele('property', { name: 'requirements', value: inert(check.requirements.join(',')) });
  }
  const kind = kindOf(check, known);
  if (kind !== undefined) {
    const fits = (text: string) => written(text) <= limit;
    element
      .ele(kind, { type: check.verdict, message: inert(shortReason(check, known)) })
      .txt(inert(bounded(reasonText(check, byId, fits) || check.verdict, limit)));
  }
  const out = systemOut(check, profile);
  if (out !== '') element.ele('system-out').txt(inert(bounded(out, limit)));
}

/**
 * Suite and section, such as `suite-name.section 4-1`, from which readers of JUnit build a tree. They take
 * what precedes the last full stop for a package, so the section must not contain one.
 */
function classOf(check: CheckResult, sections: ReadonlyMap<string, string>): string {
  const named = check.id.split('/')[0]!;
  const section = [named, ...check.requirements]
    .map((id) => sections.get(id))
    .find((one) => one !== undefined);
  if (section === undefined) return check.suite;
  return `${check.suite}.section ${inertLine(section.split(';')[0]!.trim()).replaceAll('.', '-')}`;
}

/** The text beside the verdict: warnings and observations, in the rich profile all exchanges as well. */
function systemOut(check: CheckResult, profile: JunitProfile): string {
  const parts: string[] = [];
  if (check.verdict === 'warned') {
    parts.push(`Warning: ${inert(check.reason ?? check.title)}`, ...check.findings.map(findingText));
  }
  for (const { id, question, answer } of check.observations) {
    parts.push(inert(`Observed ${id}: ${question}\n${answer}`));
  }
  if (profile === 'rich') parts.push(...check.exchanges.map((exchange) => exchangeText(exchange)));
  return parts.join('\n\n');
}
