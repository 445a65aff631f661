/** CTRF (Common Test Report Format): the JSON that test dashboards and pull-request comments read. */
import type { CheckResult, Exchange, RunReport, Verdict } from '../model/results.ts';
import { knownAs, reasonText, shortReason } from './evidence-text.ts';
import { clip, inert } from './terminal-safe.ts';
import { WHOLE_RUN, type WholeRun, wholeRun } from './whole-run.ts';
import { exchangesById, isKnown } from './words.ts';

/** The version of the format that is written. */
const SPEC_VERSION = '0.0.0';

type Status = 'passed' | 'failed' | 'skipped' | 'other';

/** CTRF has no status for undecided; `other` is the one that no reader takes for a pass. */
const statusOf: Record<Verdict, Status> = {
  passed: 'passed',
  warned: 'passed',
  observed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  blocked: 'other',
  errored: 'other',
};

/**
 * Returns the run as CTRF JSON. The `rawStatus` of a test
 * is the verdict of the check, in this suite's own words.
 */
export function ctrf(report: RunReport): string {
  const byId = exchangesById(report);
  const start = Date.parse(report.startedAt);
  const whole = wholeRun(report);
  const tests = [
    ...report.checks.map((check) => test(check, byId, isKnown(report, check))),
    ...(whole ? [runTest(report, whole)] : []),
  ];
  const number = (status: Status) => tests.filter((each) => each.status === status).length;
  const document = {
    reportFormat: 'CTRF',
    specVersion: SPEC_VERSION,
    timestamp: report.startedAt,
    generatedBy: `${report.tool.name} ${report.tool.version}`,
    results: {
      tool: { name: report.tool.name, version: report.tool.version },
      summary: {
        tests: tests.length,
        passed: number('passed'),
        failed: number('failed'),
        skipped: number('skipped'),
        pending: 0,
        other: number('other'),
        suites: report.suites.length,
        start,
        stop: start + Math.round(report.durationMs),
        duration: Math.round(report.durationMs),
        extra: {
          exitCode: report.exitCode,
          sentence: inert(report.summary),
          checks: report.totals.checks,
          requirements: report.totals,
        },
      },
      tests,
      environment: {
        reportName: inert(`${report.tool.name}: ${report.target.name}`),
        appName: inert(report.target.title ?? report.target.name),
        testEnvironment: inert(report.target.name),
        extra: { seed: report.seed, urls: report.target.urls },
      },
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** What only the run as a whole shows, such as an interruption. */
function runTest(report: RunReport, { verdict, message, text }: WholeRun) {
  const start = Date.parse(report.startedAt);
  const duration = Math.round(report.durationMs);
  return {
    testId: WHOLE_RUN,
    name: 'the run as a whole',
    status: statusOf[verdict],
    rawStatus: verdict,
    duration,
    start,
    stop: start + duration,
    suite: [WHOLE_RUN],
    message: inert(message),
    trace: clip(inert(text), TRACE),
    type: 'conformance',
  };
}

/** The most characters of a trace. */
const TRACE = 32_768;

/** A check. A known failure counts as skipped, so that no reader shows it in red. */
function test(check: CheckResult, byId: ReadonlyMap<string, Exchange>, known: boolean) {
  const start = Date.parse(check.startedAt);
  const explained = check.verdict !== 'passed' && check.verdict !== 'observed';
  return {
    testId: check.id,
    name: check.id,
    status: known ? 'skipped' : statusOf[check.verdict],
    rawStatus: known ? knownAs(check) : check.verdict,
    duration: Math.round(check.durationMs),
    start,
    stop: start + Math.round(check.durationMs),
    suite: [check.suite],
    ...(explained
      ? {
          message: shortReason(check, known),
          trace: clip(
            reasonText(check, byId, (text) => text.length <= TRACE),
            TRACE,
          ),
        }
      : {}),
    ...(check.observations.length > 0
      ? { stdout: check.observations.map((one) => inert(`${one.id}: ${clip(one.answer, 4096)}`)) }
      : {}),
    tags: known ? [check.effects, 'known-failure'] : [check.effects],
    ...(check.requirements.length > 0 ? { labels: { requirements: check.requirements } } : {}),
    type: 'conformance',
    ...(check.source && { filePath: check.source.file, line: check.source.line }),
    extra: { title: inert(check.title) },
  };
}
