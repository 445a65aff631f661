/**
 * Failures for pipelines that show them beside a file:
 * GitHub's workflow commands, GitLab's code quality report.
 */
import { createHash } from 'node:crypto';
import type { RequirementResult, RunReport } from '../model/results.ts';
import { inertLine } from './terminal-safe.ts';
import { failures, headline } from './words.ts';

/** The place that annotations are attached to: where a file names the target. */
export interface AnnotatedFile {
  path: string;
  /** Counted from 1. */
  line: number;
}

const IN_TARGETS: AnnotatedFile = { path: 'targets.yaml', line: 1 };
/** GitHub shows at most ten errors of a step, and one of them is the summary. */
const SHOWN = 9;

/** Failures that the baseline does not list, the worst first. */
function news(report: RunReport): RequirementResult[] {
  return failures(report).filter(({ id }) => !report.known.includes(id));
}

function messageOf(report: RunReport, { id, title }: RequirementResult): string {
  const finding = report.checks.flatMap((c) => c.findings).find(({ requirement }) => requirement === id);
  return inertLine(finding ? `${title}: ${finding.message}` : title, 500);
}

/** Returns workflow commands, one per line, for a step of a job on GitHub to print. */
export function githubAnnotations(report: RunReport, file: AnnotatedFile = IN_TARGETS): string {
  const command = (level: string, title: string, message: string) =>
    `::${level} file=${property(file.path)},line=${file.line},title=${property(title)}::${data(message)}\n`;
  const failed = news(report);
  const rest = failed.length - SHOWN;
  const level = report.exitCode === 0 ? 'notice' : report.exitCode === 1 ? 'error' : 'warning';
  return [
    ...failed.slice(0, SHOWN).map((each) => command('error', each.id, messageOf(report, each))),
    command(
      level,
      headline(report),
      `${report.summary}${rest > 0 ? `; ${rest} more failures in the report` : ''}`,
    ),
  ].join('');
}

function data(text: string): string {
  return inertLine(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

const SEVERITIES = { critical: 'critical', major: 'major', minor: 'minor' } as const;

/** Returns GitLab's code quality report, with an issue for each failure that the baseline does not list. */
export function codeQuality(report: RunReport, file: AnnotatedFile = IN_TARGETS): string {
  const issues = news(report).map((each) => ({
    description: `${each.id}: ${messageOf(report, each)}`,
    check_name: each.id,
    fingerprint: createHash('sha256').update(`${report.target.name} ${each.id}`).digest('hex'),
    severity: SEVERITIES[each.severity ?? 'major'],
    location: { path: file.path, lines: { begin: file.line } },
  }));
  return `${JSON.stringify(issues, null, 2)}\n`;
}
