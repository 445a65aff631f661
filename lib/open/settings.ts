/** How a run from code is done, and what it tells of itself. */
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
  /** Mistakes in the suites themselves, a sentence each. */
  problems: string[];
  /** What suites counted, by name. */
  counts: Record<string, number>;
  /** The preflight, where it stopped the run and nothing was judged. */
  stoppedBy?: PreflightOutcome;
}

/** Told of a run as it goes on. Texts hold no secret of the target, but may hold control characters that it sent. */
export interface RunEvents {
  /** The target as it is run, an embedded one with its address. */
  start?(target: ResolvedTarget, options: RunOptions): void;
  /** The settings of the target have been tried. */
  preflight?(outcome: PreflightOutcome): void;
  /** Something that an earlier run left on the target, and whether it was undone, in a sentence. */
  earlier?(what: string): void;
  /** A check has ended. */
  check?(result: CheckResult): void;
  /** Something that the run could not put back as it was, in a sentence. */
  left?(what: string): void;
  /** All is judged and written. */
  end?(end: RunEnd): void;
}

/** How the run is to be done. What is absent is as `conform run` has it. */
export interface RunSettings extends Partial<RunOptions> {
  /** Folder for reports. Without it none are written. */
  out?: string;
  /** How reports are written. */
  reports?: ReportOptions;
  /** Failures that are known and do not fail the run. */
  baseline?: BaselineEntry[];
  /** What the run has to show besides conformance. */
  gates?: Gates;
  /** That `chosen` are the checks of this part of several: the gates are left to `conform merge`. */
  shard?: Shard;
  /** Starts the server of an embedded target in the place of the reference. */
  embed?: () => Promise<Embedded>;
  events?: RunEvents;
  /** False: the settings of the target are not tried first, see `conform run --no-preflight`. */
  preflight?: boolean;
  /** Stops the run; what it made is undone and reported nevertheless. */
  signal?: AbortSignal;
}
