/**
 * The run as the page shows it: grouped, in order, and with every
 * string inert. Verdicts and totals are taken over unchanged.
 */
import type { RequirementResult, RunReport } from '../../model/results.ts';
import { totalsText } from '../../model/totals.ts';
import { inert, inertLine } from '../terminal-safe.ts';
import { unlockLines } from '../unlock.ts';
import {
  causeSentence,
  count,
  duration,
  fixFirst,
  groupFacts,
  groupWords,
  headline,
  isPartial,
  notesOf,
  OUTCOMES,
  outcomeOf,
} from '../words.ts';
import { coverage, totalsBar } from './coverage.ts';
import { Entries, observationViews } from './entries.ts';
import { outcomeWords, type PageView, type SectionView, type SuiteView } from './view-model.ts';

/** Returns the page's view of a redacted run. */
export function pageView(report: RunReport): PageView {
  const build = new Entries(report);
  const bySuite = new Map(report.suites.map((suite) => [suite.name, [] as RequirementResult[]]));
  for (const one of report.requirements) bySuite.get(one.suite)?.push(one);
  const outcomes = report.requirements.map(outcomeOf);
  const suiteOf = new Map(report.requirements.map((one) => [one.id, one.suite]));
  return {
    headline: headline(report),
    exitCode: report.exitCode,
    partial: isPartial(report),
    notes: notesOf(report).map((line) => inertLine(line)),
    unlock: unlockLines(report).map((line) => inertLine(line)),
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
    suites: report.suites.map(({ name, title, spec, totals, sections = {} }) => ({
      name,
      title: inertLine(title),
      spec: inertLine(spec),
      totals,
      undecided: totals.blocked + totals.errored,
      sentence: `${totalsText(totals)}.`,
      bar: totalsBar(totals),
      ...suiteParts(build.sections(name, bySuite.get(name) ?? [], sections)),
      observations: observationViews(report.observations.filter(({ id }) => suiteOf.get(id) === name)),
    })),
    legend: OUTCOMES.map((outcome) => ({
      outcome,
      ...outcomeWords[outcome],
      n: outcomes.filter((one) => one === outcome).length,
    })).filter(({ n }) => n > 0),
    failures: failureViews(report, build),
    first: report.groups.length > 1 ? fixFirst(report).length : 0,
    diagnoses: report.diagnoses.map((diagnosis) => ({
      sentence: inertLine(causeSentence(diagnosis)),
      checks: `${diagnosis.checks.length} of ${count(report.totals.checks.failed, 'failed check')}`,
    })),
    observed: report.observations.length > 0,
    orphans: build.orphans(),
  };
}

const suiteParts = (sections: SectionView[]): Pick<SuiteView, 'sections' | 'coverage'> => ({
  sections,
  coverage: coverage(sections),
});

/**
 * The groups of failures, each with its root, a message that shows it, and the other requirements by name;
 * known failures come last.
 */
function failureViews(report: RunReport, build: Entries): PageView['failures'] {
  const byId = new Map(report.requirements.map((one) => [one.id, one]));
  const first = fixFirst(report);
  const rest = report.groups.filter((group) => !first.includes(group));
  return [...first, ...rest].map((group) => {
    const title = (id: string) => inertLine(byId.get(id)?.title ?? '');
    return {
      id: group.root,
      title: title(group.root),
      facts: [
        `section ${inertLine(byId.get(group.root)?.section ?? '')}`,
        groupFacts(group),
        report.known.includes(group.root) ? 'known failure' : '',
      ]
        .filter(Boolean)
        .join(', '),
      message: inertLine(build.findingsOf(group.root)[0]?.finding.message ?? '', 400),
      together: groupWords(group),
      also: group.requirements.slice(1).map((id) => ({ id, title: title(id) })),
    };
  });
}
