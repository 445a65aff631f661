/** Writes the reports of a run, and prepares what it can before the run ends, while nobody waits for it. */
import type { CheckResult, RunReport } from '../model/results.ts';
import type { EvidenceAhead, ReportOptions } from '../report/index.ts';
import { ReportsNotWritten } from '../report/not-written.ts';

/** The reports that were written, and the error where that is not all of them. */
export interface Written {
  files: string[];
  error?: ReportsNotWritten;
}

/** Loads the writers of reports, receives results as they come, and writes in the end. */
export class Writing {
  readonly #out: string;
  readonly #options: ReportOptions;
  /** Loading begins only after the thread of the checks was started, so as not to delay that. */
  readonly #loading = import('../report/index.ts');
  #ahead: EvidenceAhead | undefined;

  /** @param out the folder for reports */
  constructor(out: string, options: ReportOptions = {}) {
    this.#out = out;
    this.#options = options;
    this.#loading.then(
      ({ EvidenceAhead }) => {
        this.#ahead = new EvidenceAhead();
      },
      // `write` throws the error.
      () => {},
    );
  }

  /**
   * Receives the result of a check. Results that come before the writers are loaded are only used at the end.
   */
  take(result: CheckResult): void {
    this.#ahead?.take(result);
  }

  /** Writes all formats; see `writeReports`. Returns what was written, and the error where that is not all. */
  async write(report: RunReport): Promise<Written> {
    const { writeReports } = await this.#loading;
    const options = { ...this.#options, ...(this.#ahead && { ahead: this.#ahead }) };
    try {
      return { files: await writeReports(report, this.#out, options) };
    } catch (error) {
      if (!(error instanceof ReportsNotWritten)) throw error;
      return { files: [...error.files], error };
    }
  }
}
