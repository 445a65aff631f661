/**
 * The run as the page shows it: grouped, in order, every string inert. Verdicts and totals are taken
 * over as they are.
 */
import type {
  CheckResult,
  Exchange,
  Finding,
  Observation,
  RequirementResult,
  RunReport,
  Totals,
} from '../../run/model.ts';
import { curlCommand } from '../curl.ts';
import { inert, inertLine } from '../terminal-safe.ts';
import {
  count,
  decisiveExchange,
  duration,
  exchangesById,
  failures,
  headline,
  OUTCOMES,
  type Outcome,
  outcomeOf,
  sentence,
} from '../words.ts';
import { type ExchangeView, exchangeView, findingsByExchange } from './evidence.ts';

/** How the page words and marks an outcome; never by colour alone. */
export const outcomeWords: Record<Outcome, { word: string; glyph: string }> = {
  passed: { word: 'holds', glyph: '✓' },
  failed: { word: 'does not hold', glyph: '✗' },
  warned: { word: 'warning', glyph: '!' },
  observed: { word: 'observed', glyph: '○' },
  blocked: { word: 'blocked', glyph: '?' },
  errored: { word: 'undecided', glyph: '?' },
  skipped: { word: 'skipped', glyph: '–' },
  'not-run': { word: 'not run', glyph: '–' },
  untestable: { word: 'not testable', glyph: '·' },
};

/** A share of a bar. */
export interface Share {
  outcome: Outcome;
  word: string;
  n: number;
  /** Position and width in a bar of 1000 units. */
  x: number;
  width: number;
}

/** A finding with the request that shows it. */
export interface FindingView {
  message: string;
  where?: string;
  expected?: string;
  found?: string;
  check: string;
  exchange?: ExchangeView;
  /** The exchange is in the evidence block only. */
  lazyExchange?: string;
  curl?: { command: string; variables: string[]; caveats: string[] };
}

export interface CheckView {
  id: string;
  anchor: string;
  /** Empty where it would repeat the title of the requirement that the check is shown with. */
  title: string;
  outcome: Outcome;
  word: string;
  glyph: string;
  took: string;
  effects: string;
  reason?: string;
  blockedBy?: string;
  requirements: string[];
  observations: Observation[];
  exchanges: string[];
  shared: string[];
}

export interface RequirementView {
  id: string;
  suite: string;
  section: string;
  level: string;
  basis?: string;
  title: string;
  statement: string;
  outcome: Outcome;
  word: string;
  glyph: string;
  severity?: string;
  /** On the user's list of known failures. */
  known: boolean;
  standard?: string;
  cause?: string;
  reason?: string;
  open: boolean;
  findings: FindingView[];
  /** Checks that are shown here in full. */
  checks: CheckView[];
  /** Checks that cite it and are shown with another requirement. */
  elsewhere: { id: string; anchor: string; title: string; word: string; glyph: string; outcome: Outcome }[];
}

export interface SectionView {
  section: string;
  requirements: RequirementView[];
  counts: string;
}

export interface SuiteView {
  name: string;
  title: string;
  spec: string;
  totals: Totals;
  undecided: number;
  sentence: string;
  bar: Share[];
  sections: SectionView[];
  observations: Observation[];
}

export interface PageView {
  headline: string;
  exitCode: number;
  summary: string;
  target: { name: string; title: string; urls: [string, string][] };
  tool: string;
  startedAt: string;
  took: string;
  requests: string;
  seed: number;
  suites: SuiteView[];
  legend: { outcome: Outcome; word: string; glyph: string; n: number }[];
  failures: { id: string; title: string; facts: string; message: string }[];
  diagnoses: { sentence: string; checks: string; share: string }[];
  /** Whether any suite observed anything. */
  observed: boolean;
  orphans: CheckView[];
}

/** Requirements that are unfolded, and evidence that is in the page's markup, from the start. */
const OPEN_AT_START = 40;
const STATIC_EVIDENCE = 1_500_000;
const STATIC_BODY = 1_500;

const checkAnchor = (id: string): string => `check:${id}`;

/** Orders `2 Address` before `4.1` before `4.10`. */
export function bySection(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

/** The parts of a bar, adding up to 1000 units. */
function bar(totals: Totals): Share[] {
  const left =
    totals.requirements - totals.passed - totals.failed - totals.blocked - totals.errored - totals.skipped;
  const parts: [Outcome, number][] = [
    ['passed', totals.passed],
    ['failed', totals.failed],
    ['errored', totals.blocked + totals.errored],
    ['skipped', totals.skipped],
    ['not-run', Math.max(0, left)],
  ];
  const whole = Math.max(1, totals.requirements);
  let x = 0;
  return parts
    .filter(([, n]) => n > 0)
    .map(([outcome, n]) => {
      const width = (n / whole) * 1000;
      const share = { outcome, word: outcomeWords[outcome].word, n, x, width };
      x += width;
      return share;
    });
}

/** Builds the page's view of a redacted run. */
export function pageView(report: RunReport): PageView {
  const build = new Builder(report);
  const bySuite = new Map(report.suites.map((suite) => [suite.name, [] as RequirementResult[]]));
  for (const one of report.requirements) bySuite.get(one.suite)?.push(one);
  const outcomes = report.requirements.map(outcomeOf);
  const suiteOf = new Map(report.requirements.map((one) => [one.id, one.suite]));
  return {
    headline: headline(report),
    exitCode: report.exitCode,
    summary: inert(report.summary),
    target: {
      name: inertLine(report.target.name, 200),
      title: inertLine(report.target.title ?? report.target.name, 200),
      urls: Object.entries(report.target.urls).map(([name, url]) => [inertLine(name), inertLine(url, 500)]),
    },
    tool: inertLine(`${report.tool.name} ${report.tool.version}`),
    startedAt: inertLine(report.startedAt),
    took: duration(report.durationMs),
    requests: count(report.requests, 'request'),
    seed: report.seed,
    suites: report.suites.map(({ name, title, spec, totals }) => ({
      name,
      title: inertLine(title),
      spec: inertLine(spec),
      totals,
      undecided: totals.blocked + totals.errored,
      sentence: sentence(totals),
      bar: bar(totals),
      sections: build.sections(bySuite.get(name) ?? []),
      observations: observationViews(report.observations.filter(({ id }) => suiteOf.get(id) === name)),
    })),
    legend: OUTCOMES.map((outcome) => ({
      outcome,
      ...outcomeWords[outcome],
      n: outcomes.filter((one) => one === outcome).length,
    })).filter(({ n }) => n > 0),
    failures: failures(report).map((one) => ({
      id: one.id,
      title: inertLine(one.title),
      facts: [
        `section ${inertLine(one.section)}`,
        one.severity ?? '',
        report.known.includes(one.id) ? 'known failure' : '',
      ]
        .filter(Boolean)
        .join(', '),
      message: inertLine(build.findingsOf(one.id)[0]?.finding.message ?? '', 400),
    })),
    diagnoses: report.diagnoses.map(({ sentence: cause, checks, score }) => ({
      sentence: inertLine(cause).replace(/^an implementation that /, ''),
      checks: `${checks.length} of ${count(report.totals.checks.failed, 'failed check')}`,
      share: `fits with ${Math.round(score * 100)} of 100`,
    })),
    observed: report.observations.length > 0,
    orphans: build.orphans(),
  };
}

function observationViews(observations: Observation[]): Observation[] {
  return observations.map(({ id, question, answer }) => ({
    id,
    question: inertLine(question),
    answer: inert(answer),
  }));
}

/** Requirements and checks, with what they need to know of each other. */
class Builder {
  private report: RunReport;
  private byId: Map<string, Exchange>;
  private findingsAt: Map<string, Finding[]>;
  private checks: Map<string, CheckResult>;
  private home = new Map<string, string>();
  private found = new Map<string, { check: CheckResult; finding: Finding }[]>();
  private openLeft = OPEN_AT_START;
  private staticLeft = STATIC_EVIDENCE;

  constructor(report: RunReport) {
    this.report = report;
    this.byId = exchangesById(report);
    this.findingsAt = findingsByExchange(report);
    this.checks = new Map(report.checks.map((check) => [check.id, check]));
    const known = new Set(report.requirements.map((one) => one.id));
    for (const check of report.checks) {
      // A check is shown in full with the requirement that it is named after, else with the first it cites.
      const named = check.id.split('/')[0]!;
      const home = [named, ...check.requirements].find(
        (id) => known.has(id) && check.requirements.includes(id),
      );
      if (home !== undefined) this.home.set(check.id, home);
      for (const finding of check.findings) {
        const list = this.found.get(finding.requirement) ?? [];
        list.push({ check, finding });
        this.found.set(finding.requirement, list);
      }
    }
  }

  findingsOf(requirement: string): { check: CheckResult; finding: Finding }[] {
    return this.found.get(requirement) ?? [];
  }

  sections(requirements: RequirementResult[]): SectionView[] {
    const groups = new Map<string, RequirementResult[]>();
    for (const one of requirements) {
      // `4.7; 5`: an entry that rests on several sections stands with the first.
      const section = one.section.split(';')[0]!.trim();
      const list = groups.get(section) ?? [];
      list.push(one);
      groups.set(section, list);
    }
    return [...groups]
      .sort(([a], [b]) => bySection(a, b))
      .map(([section, list]) => ({
        section: inertLine(section),
        requirements: list.map((one) => this.requirement(one)),
        counts: countsOf(list.map(outcomeOf)),
      }));
  }

  orphans(): CheckView[] {
    return this.report.checks.filter((check) => !this.home.has(check.id)).map((check) => this.check(check));
  }

  private requirement(one: RequirementResult): RequirementView {
    const outcome = outcomeOf(one);
    const cited = one.checks.map((id) => this.checks.get(id)).filter((check) => check !== undefined);
    const isHome = (check: CheckResult) => this.home.get(check.id) === one.id;
    const bad = outcome === 'failed' || outcome === 'warned';
    const open = outcome === 'failed' && this.openLeft-- > 0;
    return {
      id: one.id,
      suite: one.suite,
      section: inertLine(one.section),
      level: one.level,
      ...(one.basis ? { basis: one.basis } : {}),
      title: inertLine(one.title),
      statement: inert(one.statement),
      outcome,
      ...outcomeWords[outcome],
      ...(one.severity ? { severity: one.severity } : {}),
      known: this.report.known.includes(one.id),
      ...(one.standard ? { standard: inertLine(one.standard) } : {}),
      ...(one.cause ? { cause: inert(one.cause) } : {}),
      ...(one.reason ? { reason: inert(one.reason) } : {}),
      open,
      findings: bad ? this.findingsOf(one.id).map(({ check, finding }) => this.finding(check, finding)) : [],
      checks: cited.filter(isHome).map((check) => this.check(check, one.title)),
      elsewhere: cited
        .filter((check) => !isHome(check))
        .map((check) => {
          const verdict = check.verdicts[one.id] ?? check.verdict;
          return {
            id: check.id,
            anchor: checkAnchor(check.id),
            title: inertLine(check.title),
            outcome: verdict,
            ...outcomeWords[verdict],
          };
        }),
    };
  }

  private finding(check: CheckResult, finding: Finding): FindingView {
    const exchange = decisiveExchange(check, finding, this.byId);
    const view: FindingView = { message: inert(finding.message), check: checkAnchor(check.id) };
    if (finding.pointer !== undefined) view.where = inertLine(finding.pointer || 'the whole body', 500);
    if (finding.expected !== undefined) view.expected = inert(finding.expected);
    if (finding.found !== undefined) view.found = inert(finding.found);
    if (!exchange) return view;
    const { command, variables, caveats } = curlCommand(exchange);
    view.curl = { command: inert(command), variables, caveats };
    if (this.staticLeft > 0) {
      view.exchange = exchangeView(exchange, this.findingsAt.get(exchange.id) ?? [], STATIC_BODY);
      this.staticLeft -= JSON.stringify(view.exchange).length;
    } else {
      view.lazyExchange = exchange.id;
    }
    return view;
  }

  private check(check: CheckResult, known = ''): CheckView {
    // The findings, with the requirement that they are about, say it at more length.
    const said = check.findings.some(({ message }) => check.reason?.startsWith(message));
    return {
      id: check.id,
      anchor: checkAnchor(check.id),
      title: check.title === known ? '' : inertLine(check.title),
      outcome: check.verdict,
      ...outcomeWords[check.verdict],
      took: duration(check.durationMs),
      effects: check.effects,
      ...(check.reason !== undefined && !said ? { reason: inert(check.reason) } : {}),
      ...(check.blockedBy ? { blockedBy: inertLine(check.blockedBy) } : {}),
      requirements: check.requirements,
      observations: observationViews(check.observations),
      exchanges: check.exchanges.map(({ id }) => id),
      shared: check.sharedExchanges.filter((id) => this.byId.has(id)),
    };
  }
}

/** `12 hold, 1 does not hold, 2 skipped`: the text beside a row of the coverage picture. */
function countsOf(outcomes: Outcome[]): string {
  return OUTCOMES.map((outcome) => [outcome, outcomes.filter((one) => one === outcome).length] as const)
    .filter(([, n]) => n > 0)
    .map(([outcome, n]) => `${n} ${outcome === 'passed' && n !== 1 ? 'hold' : outcomeWords[outcome].word}`)
    .join(', ')
    .replace(/\b([2-9]|\d{2,}) does not hold/, '$1 do not hold');
}
