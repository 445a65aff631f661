/** Requirements and checks as the page shows them, each at its place, with the evidence. */

import { requestLine } from '../../check/message.ts';
import type {
  CheckResult,
  Exchange,
  Finding,
  Observation,
  RequirementResult,
  RunReport,
} from '../../model/results.ts';
import { curlCommand } from '../curl.ts';
import { repeaterFor } from '../repeat.ts';
import { clip, inert, inertLine } from '../terminal-safe.ts';
import { decisiveExchange, duration, exchangesById, outcomeOf, placeOf } from '../words.ts';
import { exchangeView } from './evidence.ts';
import {
  type CheckView,
  type EvidenceView,
  type FindingView,
  outcomeWords,
  type RequirementView,
  type SectionView,
} from './view-model.ts';

/**
 * How many requirements are unfolded from the start, and how many characters of evidence, in all and of one
 * body, are part of the page's markup.
 */
const OPEN_AT_START = 40;
const STATIC_EVIDENCE = 400_000;
const STATIC_BODY = 1_500;
/** The most characters that scripts for repeating failures may take in all. */
const SCRIPTS = 200_000;
/** How many findings of one exchange, and how many exchanges of one requirement, are shown at once. */
const SHOWN_FINDINGS = 6;
const SHOWN_EXCHANGES = 3;

const checkAnchor = (id: string): string => `check:${id}`;

/** Sorts `2 Address` before `4.1` before `4.10`. */
export function bySection(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

/** A text of a target, made inert and cut where nobody would read on. */
const shown = (text: string): string => inert(clip(text, 8_000));

/** Observations with every string inert. */
export function observationViews(observations: Observation[]): Observation[] {
  return observations.map(({ id, question, answer }) => ({
    id,
    question: inertLine(question),
    answer: shown(answer),
  }));
}

function findingView({ message, pointer, expected, found }: Finding): FindingView {
  return {
    message: shown(message),
    ...(pointer === undefined ? {} : { where: inertLine(pointer || 'the whole body', 500) }),
    ...(expected === undefined ? {} : { expected: shown(expected) }),
    ...(found === undefined ? {} : { found: shown(found) }),
  };
}

/** Builds the views of requirements and checks together, since each refers to the other. */
export class Entries {
  private report: RunReport;
  private byId: Map<string, Exchange>;
  private checks: Map<string, CheckResult>;
  private home = new Map<string, string>();
  private found = new Map<string, { check: CheckResult; finding: Finding }[]>();
  private openLeft = OPEN_AT_START;
  private staticLeft = STATIC_EVIDENCE;
  private scriptsLeft = SCRIPTS;

  constructor(report: RunReport) {
    this.report = report;
    this.byId = exchangesById(report);
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

  sections(
    suite: string,
    requirements: RequirementResult[],
    headings: Readonly<Record<string, string>>,
  ): SectionView[] {
    const groups = new Map<string, RequirementResult[]>();
    for (const one of requirements) {
      // An entry that rests on several sections (`4.7; 5`) is listed under the first.
      const section = one.section.split(';')[0]!.trim();
      const list = groups.get(section) ?? [];
      list.push(one);
      groups.set(section, list);
    }
    return [...groups]
      .sort(([a], [b]) => bySection(a, b))
      .map(([section, list]) => ({
        section: inertLine(section),
        ...(Object.hasOwn(headings, section) && { heading: inertLine(headings[section]!) }),
        anchor: `section:${suite}:${inertLine(section).replaceAll(' ', '-')}`,
        requirements: list.map((one) => this.requirement(one)),
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
      ...(one.quote && {
        quote: { text: inertLine(one.quote.text), place: inertLine(`section ${one.quote.section}`) },
      }),
      outcome,
      ...outcomeWords[outcome],
      ...(one.severity ? { severity: one.severity } : {}),
      known: this.report.known.includes(one.id),
      ...(one.standard ? { standard: inertLine(one.standard) } : {}),
      ...(one.cause ? { cause: inert(one.cause) } : {}),
      ...(one.reason ? { reason: inert(one.reason) } : {}),
      open,
      ...(bad ? this.evidence(one.id) : { evidence: [], further: 0 }),
      checks: cited.filter(isHome).map((check) => this.check(check, one.title)),
      elsewhere: cited
        .filter((check) => !isHome(check))
        .map((check) => {
          const verdict = check.verdicts[one.id] ?? check.verdict;
          return {
            id: check.id,
            anchor: checkAnchor(check.id),
            outcome: verdict,
            ...outcomeWords[verdict],
          };
        }),
    };
  }

  /** The findings of a requirement, grouped where one exchange shows several. */
  private evidence(requirement: string): Pick<RequirementView, 'evidence' | 'further'> {
    const groups = new Map<
      string,
      { check: CheckResult; findings: Finding[]; exchange: Exchange | undefined }
    >();
    for (const { check, finding } of this.findingsOf(requirement)) {
      const exchange = decisiveExchange(check, finding, this.byId);
      const key = `${check.id} ${exchange?.id}`;
      const group = groups.get(key) ?? { check, findings: [], exchange };
      group.findings.push(finding);
      groups.set(key, group);
    }
    const evidence = [...groups.values()].slice(0, SHOWN_EXCHANGES).map(({ check, findings, exchange }) => ({
      findings: findings.slice(0, SHOWN_FINDINGS).map(findingView),
      more: Math.max(0, findings.length - SHOWN_FINDINGS),
      check: check.id,
      anchor: checkAnchor(check.id),
      ...(exchange ? this.shownExchange(exchange, findings, check) : {}),
    }));
    return { evidence, further: groups.size - evidence.length };
  }

  private shownExchange(exchange: Exchange, findings: Finding[], check: CheckResult): Partial<EvidenceView> {
    const did = findings[0]?.by === undefined ? undefined : this.byId.get(findings[0].by);
    const by = did && { by: shown(requestLine(did)) };
    const curl = this.repeat(exchange, findings, check);
    if (this.staticLeft <= 0) return { curl, ...by, lazyExchange: exchange.id };
    const view = exchangeView(exchange, findings, STATIC_BODY);
    this.staticLeft -= JSON.stringify(view).length;
    return { curl, ...by, exchange: view };
  }

  /**
   * The script that repeats a failure from nothing, or the
   * single request once scripts have taken all their room.
   */
  private repeat(
    exchange: Exchange,
    [finding]: Finding[],
    check: CheckResult,
  ): NonNullable<EvidenceView['curl']> {
    const script =
      finding && this.scriptsLeft > 0 ? repeaterFor(this.byId).script(finding, check) : undefined;
    if (script === undefined) {
      const { command, variables, caveats } = curlCommand(exchange);
      return { command: inert(command), variables, caveats };
    }
    this.scriptsLeft -= script.script.length;
    return { command: inert(script.script), variables: script.variables, caveats: script.caveats };
  }

  private check(check: CheckResult, known = ''): CheckView {
    // The findings say the same at more length, and with the requirement that they are about.
    const said = check.findings.some(({ message }) => check.reason?.startsWith(message));
    return {
      id: check.id,
      anchor: checkAnchor(check.id),
      title: check.title === known ? '' : inertLine(check.title),
      outcome: check.verdict,
      ...outcomeWords[check.verdict],
      took: duration(check.durationMs),
      effects: check.effects,
      ...(check.source ? { source: placeOf(check) } : {}),
      ...(check.reason !== undefined && !said ? { reason: shown(check.reason) } : {}),
      ...(check.blockedBy ? { blockedBy: inertLine(check.blockedBy) } : {}),
      requirements: check.requirements,
      observations: observationViews(check.observations),
      exchanges: check.exchanges.map(({ id }) => id),
      shared: check.sharedExchanges.filter((id) => this.byId.has(id)),
    };
  }
}
