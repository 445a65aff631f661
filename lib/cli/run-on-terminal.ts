/** Shows a run on a terminal, and lets an interrupt stop it. */

import type { RunEnd, RunEvents } from '../api/settings.ts';
import { redactorFor } from '../config/secrets.ts';
import type { ResolvedTarget, RunOptions } from '../config/types.ts';
import type { CheckResult } from '../model/results.ts';
import { inert } from '../report/terminal-safe.ts';
import type { PreflightOutcome } from '../run/preflight.ts';
import type { ConfiguredTarget } from './configuration.ts';
import { INTERRUPTED, Interrupts } from './interrupts.ts';
import { doubtfulLines, leftOutLines, printStopped, proxyLines } from './preflight.ts';
import { Progress } from './progress.ts';
import { printSummary } from './summary.ts';

/** Receives the events of a run, and interrupts, until it is closed. */
export class RunOnTerminal implements RunEvents {
  readonly #progress: Progress;
  readonly #loaded: ConfiguredTarget;
  readonly #interrupts: Interrupts;

  constructor(loaded: ConfiguredTarget, verbose: boolean) {
    this.#loaded = loaded;
    this.#progress = new Progress(process.stdout, verbose);
    this.#interrupts = new Interrupts(() => this.#progress.note(INTERRUPTED));
  }

  /** Aborted when the user interrupts the run. */
  get signal(): AbortSignal {
    return this.#interrupts.signal;
  }

  start(target: ResolvedTarget, options: RunOptions): void {
    this.#interrupts.listen();
    this.#progress.begin(target, options);
    for (const label of redactorFor(target, options.suites).weak)
      this.#progress.note(
        `${label} is short or a common word: it is redacted only where it stands as a whole value`,
      );
    if (this.#loaded.isFallback)
      this.#progress.note(
        'there is no targets.yaml here, so the embedded reference is tested; `conform init` writes one',
      );
    const { deviation } = this.#loaded;
    if (deviation) this.#progress.note(inert(`breaks ${deviation.breaks.join(', ') || 'nothing'}`));
    for (const line of leftOutLines(this.#loaded.leftOut)) this.#progress.note(inert(line));
    for (const line of proxyLines(target)) this.#progress.note(inert(line));
  }

  preflight({ findings }: PreflightOutcome): void {
    for (const line of doubtfulLines(findings)) this.#progress.note(line);
  }

  earlier(what: string): void {
    this.#progress.note(inert(what));
  }

  check(result: CheckResult): void {
    this.#progress.check(result);
  }

  end({ report, stoppedBy, ...closing }: RunEnd): void {
    this.close();
    if (stoppedBy) printStopped(process.stdout, stoppedBy, { report, ...closing });
    else printSummary(process.stdout, report, closing);
  }

  /** Stops handling interrupts, so that they end the process again. */
  close(): void {
    this.#progress.end();
    this.#interrupts.close();
  }
}
