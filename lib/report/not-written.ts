/** The error for reports that could not be written. */
import type { RunReport } from '../model/results.ts';

/** Some reports of a run could not be written; its verdict is known nevertheless. */
export class ReportsNotWritten extends Error {
  readonly report: RunReport;
  /** Paths of those that were written. */
  readonly files: readonly string[];
  /** A sentence for each of the others: its path, and why. */
  readonly problems: readonly string[];

  constructor(report: RunReport, files: readonly string[], problems: readonly string[]) {
    super(`reports could not be written: ${problems.join('; ')}`);
    this.report = report;
    this.files = files;
    this.problems = problems;
  }

  /** The exit status: nobody can rely on reports that are not there, so that it is 3 at best. */
  get status(): number {
    return this.report.exitCode === 0 ? 3 : this.report.exitCode;
  }
}
