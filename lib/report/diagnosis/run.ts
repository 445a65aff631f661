/** Finds the likely causes of what failed in a run. */
import type { CheckResult, Diagnosis, RunReport } from '../../model/results.ts';
import { foldByCauses } from '../../run/groups.ts';
import { exchangesById } from '../words.ts';
import { Diagnostician, type Signature } from './diagnose.ts';
import { codesOf, evidenceOf } from './evidence.ts';

/**
 * Returns the causes that fit, at most one for each group of failures, so that no two hints contradict each
 * other. A suite most of whose checks are blocked is left out: its failures show only the little that could
 * be looked at.
 * @param load returns the signatures; called only where something failed
 */
export function diagnoseRun(report: RunReport, load: () => readonly Signature[]): Diagnosis[] {
  const hidden = new Set(
    report.suites.map(({ name }) => name).filter((name) => isBlocked(report.checks, name)),
  );
  const failed = report.checks.filter(({ verdict, suite }) => verdict === 'failed' && !hidden.has(suite));
  if (failed.length === 0) return [];
  const byId = exchangesById(report);
  const causes = new Diagnostician(load()).diagnose(
    failed.map((check) => ({ id: check.id, codes: codesOf(evidenceOf(check, (id) => byId.get(id))) })),
  );
  const title = new Map(report.requirements.map((one) => [one.id, one.title]));
  const told = new Set<string>();
  return causes.flatMap((cause) => {
    const group = report.groups.find(({ checks }) => cause.checks.some((id) => checks.includes(id)));
    if (group === undefined || told.has(group.root)) return [];
    told.add(group.root);
    return [
      cause.deviation === undefined ? { ...cause, sentence: title.get(cause.requirement) ?? '' } : cause,
    ];
  });
}

/**
 * Writes the likely causes into a report, and merges the
 * groups of failures that one cause explains completely.
 */
export function addCauses(report: RunReport, load: () => readonly Signature[]): void {
  report.diagnoses = diagnoseRun(report, load);
  report.groups = foldByCauses(report.groups, report.diagnoses);
}

function isBlocked(checks: readonly CheckResult[], suite: string): boolean {
  const own = checks.filter((check) => check.suite === suite);
  return own.filter(({ verdict }) => verdict === 'blocked').length * 2 > own.length;
}
