/** What `run` does, step by step. */
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
import type { RunSettings } from './settings.ts';
import { Writing } from './writing.ts';

/** What the steps of one run share. */
interface Running {
  runId: string;
  runner: Runner;
  /** As configured. */
  configured: ResolvedTarget;
  /** As it is run: an embedded one with its address. */
  target: ResolvedTarget;
  options: RunOptions;
  settings: RunSettings;
  journal: RunJournal | undefined;
  /** Takes secrets out. */
  redact(lines: readonly string[]): string[];
}

/** See `run`. */
export async function performRun(configured: ResolvedTarget, settings: RunSettings): Promise<RunReport> {
  const options = optionsOf(configured, settings);
  const { out } = settings;
  if (out === undefined) return open(configured, options, settings);
  // Known before anything is sent: whether reports can be written there, and that nobody else writes there.
  prepareOutputFolder(out);
  const unlock = lockFolder(out);
  try {
    return await open(configured, options, settings);
  } finally {
    unlock();
  }
}

/** The options that were given, and for the others what `conform run` takes. */
function optionsOf(target: ResolvedTarget, settings: RunSettings): RunOptions {
  const { out, reports, baseline, gates, shard, events, preflight, signal, embed, suites, ...given } =
    settings;
  const all = suitesFor(target);
  return { ...resolveOptions({ suite: suites ?? all }, {}, target, all), ...given };
}

/** Opens what the run needs, and closes it in the end. */
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
  const runner = new Runner(options.suites, configured.embedded && !embed ? configured : undefined);
  let embedded: Embedded | undefined;
  const cancel = () => runner.cancel();
  settings.signal?.addEventListener('abort', cancel);
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

/** From the preflight to the reports. */
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
  // What it holds is not needed any more, and reports take memory too; waited for at the end of the run.
  void running.runner.close();
  const { report, outcome } = executed;
  addCauses(report, loadSignatures);
  sayWhatIsLeft(executed, running, earlier, await journal?.finish());
  for (const line of report.leftovers ?? []) events.left?.(line);
  const files = (await writing?.write(report)) ?? [];
  const { problems, counts } = outcome;
  events.end?.({ report, files, problems, counts, ...(tried && isStopped && { stoppedBy: tried }) });
  return report;
}

/** The preflight, unless there is nothing to try or it is not wanted. */
async function tryFirst(running: Running): Promise<PreflightOutcome | undefined> {
  const { runId, configured, target, options, settings, journal } = running;
  if (settings.preflight === false || !hasSettings(configured)) return undefined;
  const tried = await preflight({ runId, target, options, ...(journal && { journal: journal.placeOf }) });
  settings.events?.preflight?.(tried);
  return tried;
}

/** Runs the checks, and says in the report whether it is of a whole run. */
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
    isNarrowed && withinBudgetOf(options.budget ?? 0, target, options, loadSignatures, tried?.requests);
  const executed = await execute(runner, {
    target,
    options: chosen ? chosen.options : options,
    ...(chosen && { budget: chosen.budget }),
    ...(journal && { journal: journal.placeOf }),
    ...(baseline && { baseline }),
    // A part of a run is not asked for what the whole has to show.
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
  // What the worker could not put back has been tried again, as far as the journal knows of it.
  const left = own && own.left.length + own.undone > 0 ? own.left : outcome.leftovers;
  report.leftovers = redact([...left, ...(earlier?.left ?? [])]);
  // The embedded reference ends with the run, and everything with it.
  report.stays = target.embedded ? [] : redact([...outcome.stays, ...(own?.stays ?? [])]);
  // Nobody knows what state the target is in.
  if (report.leftovers.length > 0 && report.exitCode === 0) report.exitCode = 3;
}
