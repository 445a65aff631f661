/** The reports of a run that goes on: what of them can be made before it ends is, since nobody waits for it then. */
import type { CheckResult, RunReport } from '../model/results.ts';
import type { EvidenceAhead, ReportOptions } from '../report/index.ts';

/** Loads what writes reports, takes results as they come, and writes. */
export class Writing {
  readonly #out: string;
  readonly #options: ReportOptions;
  /** Not loaded before the thread of the checks has been started. */
  readonly #loading = import('../report/index.ts');
  #ahead: EvidenceAhead | undefined;

  /** @param out folder */
  constructor(out: string, options: ReportOptions = {}) {
    this.#out = out;
    this.#options = options;
    this.#loading.then(
      ({ EvidenceAhead }) => {
        this.#ahead = new EvidenceAhead();
      },
      // Told when it is to write.
      () => {},
    );
  }

  /** A check has ended. What comes before the writers are loaded is left for the end. */
  take(result: CheckResult): void {
    this.#ahead?.take(result);
  }

  /** Writes all formats; see `writeReports`. */
  async write(report: RunReport): Promise<string[]> {
    const { writeReports } = await this.#loading;
    return writeReports(report, this.#out, { ...this.#options, ...(this.#ahead && { ahead: this.#ahead }) });
  }
}
