/** A run from code: what `conform run` does, without a terminal. */
import { randomUUID } from 'node:crypto';
import { serviceOf } from '../check/services.ts';
import { type ResolvedTarget, type RunOptions, serviceConfig } from '../config/types.ts';
import { allCatalogues } from '../model/catalogue/registry.ts';
import type { CheckResult, RunReport } from '../model/results.ts';
import type { BaselineEntry } from '../run/baseline.ts';

/** Told of a run as it goes on. */
export interface RunEvents {
  /** The target as it is run, an embedded one with its address. */
  start?(target: ResolvedTarget, options: RunOptions): void;
  /** A check has ended. */
  check?(result: CheckResult): void;
  /** Something that the run could not put back as it was, in a sentence. */
  left?(what: string): void;
}

/** How the run is to be done. What is absent is as `conform run` has it. */
export interface RunSettings extends Partial<RunOptions> {
  /** Folder for reports and journal. Without it nothing is written, and nothing can be undone after a crash. */
  out?: string;
  /** Failures that are known and do not fail the run. */
  baseline?: BaselineEntry[];
  events?: RunEvents;
  /** False: the settings of the target are not tried first, see `conform run --no-preflight`. */
  preflight?: boolean;
}

/**
 * Runs suites against a target.
 * @returns the report, with the secrets of the target taken out
 * @throws UsageError for a suite that the target has no service for
 */
export async function run(target: ResolvedTarget, settings: RunSettings = {}): Promise<RunReport> {
  const [{ startEmbedded }, { Runner }] = await Promise.all([
    import('../run/embedded.ts'),
    import('../run/runner.ts'),
  ]);
  const embedded = target.embedded ? await startEmbedded(target) : undefined;
  try {
    const runner = await Runner.open();
    try {
      const isTried =
        settings.preflight !== false && (await import('../run/preflight.ts')).hasSettings(target);
      return await runWith(runner, embedded?.target ?? target, { ...settings, preflight: isTried });
    } finally {
      await runner.close();
    }
  } finally {
    await embedded?.close();
  }
}

async function runWith(
  runner: import('../run/runner.ts').Runner,
  target: ResolvedTarget,
  { out, baseline, events = {}, preflight: isTried, ...given }: RunSettings,
): Promise<RunReport> {
  const [{ execute }, { preflight, stopsRun }, { RunJournal, toldOf }, { redactorFor }] = await Promise.all([
    import('../run/execute.ts'),
    import('../run/preflight.ts'),
    import('../run/run-journal.ts'),
    import('../config/secrets.ts'),
  ]);
  const options = await optionsFor(target, given);
  const redactor = redactorFor(target, options.suites);
  const tell = (lines: readonly string[]) => {
    for (const line of lines) events.left?.(redactor.text(line));
  };
  const journal = await RunJournal.open(target, options);
  const runId = randomUUID();
  const tried = isTried
    ? await preflight({ runId, target, options, ...(journal && { journal: journal.placeOf }) })
    : undefined;
  const earlier = tried?.findings.some(stopsRun) ? undefined : await journal?.settle(runId);
  if (earlier) tell(toldOf(earlier));
  events.start?.(target, options);
  const { report, outcome } = await execute(runner, {
    target,
    options,
    ...(baseline && { baseline }),
    ...(journal && { journal: journal.placeOf }),
    runId,
    ...(tried && { preflight: tried }),
    onResult: (result) => events.check?.(result),
  });
  const own = await journal?.finish();
  report.leftovers = [...(own ? own.left : outcome.leftovers), ...(earlier?.left ?? [])].map((line) =>
    redactor.text(line),
  );
  report.stays = [...outcome.stays, ...(own?.stays ?? [])].map((line) => redactor.text(line));
  if (report.leftovers.length > 0 && report.exitCode === 0) report.exitCode = 3;
  tell(report.leftovers);
  if (out !== undefined) {
    const { writeReports } = await import('../report/index.ts');
    await writeReports(report, out, { junitProfile: 'strict' });
  }
  return report;
}

async function optionsFor(target: ResolvedTarget, given: Partial<RunOptions>): Promise<RunOptions> {
  const { resolveOptions } = await import('../config/options.ts');
  const suites = [...allCatalogues().keys()].filter(
    (suite) => serviceConfig(target, serviceOf(suite).name) !== undefined,
  );
  const { suites: suite = suites, ...rest } = given;
  return { ...resolveOptions({ suite }, {}, target, suites), ...rest };
}
