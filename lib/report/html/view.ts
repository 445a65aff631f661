/**
 * The run as the page shows it: grouped, in order, every string inert. Verdicts and totals are taken
 * over as they are.
 */
import type { RequirementResult, RunReport } from '../../model/results.ts';
import { inert, inertLine } from '../terminal-safe.ts';
import { unlockLines } from '../unlock.ts';
import {
  baselineLines,
  count,
  duration,
  failures,
  headline,
  isPartial,
  OUTCOMES,
  outcomeOf,
  sentence,
} from '../words.ts';
import { coverage, totalsBar } from './coverage.ts';
import { Entries, observationViews } from './entries.ts';
import { outcomeWords, type PageView, type SectionView, type SuiteView } from './view-model.ts';

/** Builds the page's view of a redacted run. */
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
    notes: [...(report.gates ?? []), ...baselineLines(report)].map((line) => inertLine(line)),
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
    suites: report.suites.map(({ name, title, spec, totals }) => ({
      name,
      title: inertLine(title),
      spec: inertLine(spec),
      totals,
      undecided: totals.blocked + totals.errored,
      sentence: sentence(totals),
      bar: totalsBar(totals),
      ...suiteParts(build.sections(name, bySuite.get(name) ?? [])),
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

const suiteParts = (sections: SectionView[]): Pick<SuiteView, 'sections' | 'coverage'> => ({
  sections,
  coverage: coverage(sections),
});
