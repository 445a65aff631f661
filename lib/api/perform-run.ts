/** The steps of `run`. */
import { randomUUID } from 'node:crypto';
import { lockFolder } from '../check/journal/lock.ts';
import { suitesFor } from '../check/services.ts';
import { resolveOptions } from '../config/options.ts';
import { redactorFor } from '../config/secrets.ts';
import type { ResolvedTarget, RunOptions } from '../config/types.ts';
import type { CheckResult, RunReport } from '../model/results.ts';
import { addCauses } from '../report/diagnosis/run.ts';
import { loadSignatures } from '../report/diagnosis/signatures.ts';
import { prepareOutputFolder } from '../report/output-folder.ts';
import { withinBudgetOf } from '../run/budget.ts';
import type { Embedded } from '../run/embedded.ts';
import { type Executed, execute } from '../run/execute.ts';
import { hasSettings, type PreflightOutcome, preflight, stopsRun } from '../run/preflight.ts';
import { RunJournal, toldOf } from '../run/run-journal.ts';
import { Runner } from '../run/runner.ts';
import { chosenEntries, markInterrupted } from '../run/selection.ts';
import type { Undone } from '../run/undo.ts';
import { leftUntried } from '../run/untried.ts';
import type { RunSettings } from './settings.ts';
import { Writing } from './writing.ts';

/** What the steps of one run share. */
interface Running {
  runId: string;
  runner: Runner;
  /** The target as it is configured. */
  configured: ResolvedTarget;
  /** The target as it is run; an embedded one has its address. */
  target: ResolvedTarget;
  options: RunOptions;
  settings: RunSettings;
  journal: RunJournal | undefined;
  /** Takes the secrets out of lines of text. */
  redact(lines: readonly string[]): string[];
}

/** Performs a run; see `run`. */
export async function performRun(configured: ResolvedTarget, settings: RunSettings): Promise<RunReport> {
  const options = optionsOf(configured, settings);
  const { out } = settings;
  if (out === undefined) return open(configured, options, settings);
  // Tested before anything is sent: reports can be written there, and no other run writes there.
  prepareOutputFolder(out);
  const unlock = lockFolder(out);
  try {
    return await open(configured, options, settings);
  } finally {
    unlock();
  }
}

/** The given options, and the defaults of `conform run` for the others. */
function optionsOf(target: ResolvedTarget, settings: RunSettings): RunOptions {
  const { out, reports, baseline, gates, shard, events, preflight, signal, embed, suites, ...given } =
    settings;
  const all = suitesFor(target);
  return { ...resolveOptions({ suite: suites ?? all }, {}, target, all), ...given };
}

/** Opens the journal that the run needs, and closes it at the end. */
async function open(
  configured: ResolvedTarget,
  options: RunOptions,
  settings: RunSettings,
): Promise<RunReport> {
  const journal = await RunJournal.open(configured, options);
  try {
    return await openRunner(configured, options, settings, journal);
  } finally {
    journal?.close();
  }
}

async function openRunner(
  configured: ResolvedTarget,
  options: RunOptions,
  settings: RunSettings,
  journal: RunJournal | undefined,
): Promise<RunReport> {
  const { embed } = settings;
  const runner = new Runner(options, configured.embedded && !embed ? configured : undefined);
  let embedded: Embedded | undefined;
  const cancel = () => runner.cancel();
  settings.signal?.addEventListener('abort', cancel);
  if (settings.signal?.aborted) cancel();
  try {
    if (configured.embedded) embedded = await embed?.();
    const { target } = configured.embedded ? (embedded ?? (await runner.embedded)) : { target: configured };
    const redactor = redactorFor(target, options.suites);
    const redact = (lines: readonly string[]) => lines.map((line) => redactor.text(line));
    const runId = randomUUID();
    return await conduct({ runId, runner, configured, target, options, settings, journal, redact });
  } finally {
    settings.signal?.removeEventListener('abort', cancel);
    await runner.close();
    await embedded?.close();
  }
}

/** Conducts the run from the preflight to the reports. */
async function conduct(running: Running): Promise<RunReport> {
  const { target, options, settings, journal, redact } = running;
  const { events = {} } = settings;
  events.start?.(target, options);
  const tried = await tryFirst(running);
  const isStopped = tried?.findings.some(stopsRun) ?? false;
  const earlier = isStopped ? undefined : await journal?.settle(running.runId);
  for (const line of redact(earlier ? toldOf(earlier) : [])) events.earlier?.(line);
  const { out, reports } = settings;
  const writing = out === undefined ? undefined : new Writing(out, reports);
  const executed = await judge(running, tried, (result) => writing?.take(result));
  // The runner is not needed any more, and its memory can serve
  // the reports. Its end is awaited with that of the run.
  void running.runner.close();
  const { report, outcome } = executed;
  addCauses(report, loadSignatures);
  sayWhatIsLeft(executed, running, earlier, await journal?.finish());
  for (const line of report.leftovers ?? []) events.left?.(line);
  const { files, error } = (await writing?.write(report)) ?? { files: [] };
  const { problems, counts } = outcome;
  const unwritten = [...(error?.problems ?? [])];
  events.end?.({
    report,
    files,
    unwritten,
    problems,
    counts,
    ...(tried && isStopped && { stoppedBy: tried }),
  });
  if (error) throw error;
  return report;
}

/** Does the preflight, unless it is switched off or there is nothing to try. */
async function tryFirst(running: Running): Promise<PreflightOutcome | undefined> {
  const { runId, configured, target, options, settings, journal } = running;
  if (settings.preflight === false || !hasSettings(configured) || settings.signal?.aborted) return undefined;
  const { signal } = settings;
  const tried = await preflight({
    runId,
    target,
    options,
    untried: leftUntried(target, options, loadSignatures),
    ...(journal && { journal: journal.placeOf }),
    ...(signal && { signal }),
  });
  settings.events?.preflight?.(tried);
  return tried;
}

/** Runs the checks, and notes in the report where it is not that of a whole run. */
async function judge(
  running: Running,
  tried: PreflightOutcome | undefined,
  take: (result: CheckResult) => void,
): Promise<Executed> {
  const { runId, runner, target, options, journal } = running;
  const { baseline, gates = {}, shard, events, signal } = running.settings;
  const withoutTurn = chosenEntries(options);
  const isNarrowed = options.budget !== undefined && !tried?.findings.some(stopsRun);
  const chosen =
    isNarrowed &&
    withinBudgetOf(options.budget ?? 0, target, options, loadSignatures, {
      spent: tried?.requests ?? 0,
      untried: tried?.untried ?? [],
    });
  const executed = await execute(runner, {
    target,
    options: chosen ? chosen.options : options,
    ...(chosen && { budget: chosen.budget }),
    ...(journal && { journal: journal.placeOf }),
    ...(baseline && { baseline }),
    // Gates are for the whole run, so a shard is not asked to meet them.
    ...(shard === undefined ? { gates } : { isPart: true }),
    runId,
    ...(tried && { preflight: tried }),
    onResult: (result) => {
      for (const id of result.requirements) withoutTurn.delete(id);
      events?.check?.(result);
      take(result);
    },
  });
  const { report, outcome } = executed;
  const interrupted = signal?.aborted ?? false;
  if (interrupted) markInterrupted(report, withoutTurn.size);
  const cut = interrupted || outcome.died;
  if (shard) report.shard = { ...shard, strict: options.strict, gates: { ...gates }, ...(cut && { cut }) };
  return executed;
}

/** Writes into the report what is not as it was before the run. */
function sayWhatIsLeft(
  { report, outcome }: Executed,
  { target, redact }: Running,
  earlier: Undone | undefined,
  own: Undone | undefined,
): void {
  // What the thread could not put back has been tried again, as far as it is in the journal.
  const left = own && own.left.length + own.undone > 0 ? own.left : outcome.leftovers;
  report.leftovers = redact([...left, ...(earlier?.left ?? [])]);
  // The embedded reference ends with the run, and everything that was made on it.
  report.stays = target.embedded ? [] : redact([...outcome.stays, ...(own?.stays ?? [])]);
  // Nobody knows in which state the target is.
  if (report.leftovers.length > 0 && report.exitCode === 0) report.exitCode = 3;
}
