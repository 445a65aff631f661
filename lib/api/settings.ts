/** The settings of a run that a program starts, and the events that it receives. */
import type { ResolvedTarget, RunOptions } from '../config/types.ts';
import type { CheckResult, RunReport } from '../model/results.ts';
import type { ReportOptions } from '../report/index.ts';
import type { BaselineEntry } from '../run/baseline.ts';
import type { Embedded } from '../run/embedded.ts';
import type { Gates } from '../run/gates.ts';
import type { PreflightOutcome } from '../run/preflight.ts';
import type { Shard } from '../run/shards.ts';

/** What is known at the end of a run besides its report. */
export interface RunEnd {
  report: RunReport;
  /** Paths of the reports that were written. */
  files: string[];
  /** A sentence for each report that could not be written. */
  unwritten: string[];
  /** Mistakes in the suites themselves, a sentence each. */
  problems: string[];
  /** The suites' own counters, by name. */
  counts: Record<string, number>;
  /** The outcome of the preflight, where it stopped the run and nothing was judged. */
  stoppedBy?: PreflightOutcome;
}

/**
 * Called as a run goes on. Texts contain no secret of the
 * target, but may contain control characters that it sent.
 */
export interface RunEvents {
  /** The target as it is run, an embedded one with its address. */
  start?(target: ResolvedTarget, options: RunOptions): void;
  /** The settings of the target were tried. */
  preflight?(outcome: PreflightOutcome): void;
  /** A sentence about something that an earlier run left on the target, and whether it was undone. */
  earlier?(what: string): void;
  /** A check ended. */
  check?(result: CheckResult): void;
  /** A sentence about something that the run could not put back as it was. */
  left?(what: string): void;
  /** Everything is judged, and the reports are written, as far as they can be. */
  end?(end: RunEnd): void;
}

/** How a run is done. The defaults are those of `conform run`. */
export interface RunSettings extends Partial<RunOptions> {
  /** The folder for reports. Without it none are written. */
  out?: string;
  /** How reports are written. */
  reports?: ReportOptions;
  /** Known failures, which do not fail the run. */
  baseline?: BaselineEntry[];
  /** What the run has to show besides conformance. */
  gates?: Gates;
  /** Says that `chosen` has the checks of one shard. The gates are then left to `conform merge`. */
  shard?: Shard;
  /** Starts the server of an embedded target, instead of the reference. */
  embed?: () => Promise<Embedded>;
  events?: RunEvents;
  /** If false, the settings of the target are not tried first, as with `conform run --no-preflight`. */
  preflight?: boolean;
  /** Aborting it stops the run. What the run made is still undone, and reported. */
  signal?: AbortSignal;
}
