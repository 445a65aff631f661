/** Reads a `report.json` that an earlier run wrote. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RunReport } from '../model/results.ts';
import { UsageError } from '../model/usage-error.ts';

/**
 * Reads a report.
 * @param path a `report.json`, or the folder that a run wrote it to
 * @throws UsageError for anything that is not a report of this format
 */
export function readReport(path: string): RunReport {
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'report.json') : path;
  if (!existsSync(file)) throw new UsageError(`${file}: no such report`);
  let report: Partial<RunReport>;
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as Partial<RunReport>;
  } catch {
    throw new UsageError(`${file} is not JSON`);
  }
  if (report?.format !== 1 || !Array.isArray(report.requirements) || !Array.isArray(report.checks))
    throw new UsageError(`${file} is not the report of a run`);
  return report as RunReport;
}
