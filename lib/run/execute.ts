/**
 * Performs one run, from a resolved target to a report: what
 * `conform run` does between reading flags and writing files.
 */
import { randomUUID } from 'node:crypto';
import type { JournalPlace } from '../check/journal/journal.ts';
import type { RunInput } from '../check/session.ts';
import { redactorFor } from '../config/secrets.ts';
import type { ResolvedTarget, RunOptions } from '../config/types.ts';
import { catalogueOf } from '../model/catalogue/registry.ts';
import type { BudgetResult, CheckResult, RunReport } from '../model/results.ts';
import { tool } from '../model/tool.ts';
import { aggregate, PREFLIGHT } from './aggregate.ts';
import type { BaselineEntry } from './baseline.ts';
import type { Gates } from './gates.ts';
import { nothingYet, type OnResult, type RunOutcome, sum } from './outcome.ts';
import { type PreflightOutcome, stopsRun } from './preflight.ts';
import type { Runner } from './runner.ts';
import { urlsOf } from './target-urls.ts';

/** Everything that a run needs. */
export interface Execution {
  target: ResolvedTarget;
  options: RunOptions;
  /** Returns where the journal of the run with this id is; absent where nothing outlives the run. */
  journal?: (runId: string) => JournalPlace;
  transport?: RunInput['transport'];
  baseline?: BaselineEntry[];
  gates?: Gates;
  onResult?: OnResult;
  /** The id that the preflight used, where there was one; by default a new one. */
  runId?: string;
  /** What the run leaves out to stay within its budget. */
  budget?: BudgetResult;
  /** Whether this is one shard, and other shards have the rest of the checks. */
  isPart?: boolean;
  /**
   * The outcome of the preflight. Requests that it sent count towards the run's limit, and where it stops the
   * run nothing is sent.
   */
  preflight?: PreflightOutcome;
}

/** The report, and the outcome that says what went wrong outside of checks. */
export interface Executed {
  report: RunReport;
  outcome: RunOutcome;
}

/** Runs the selected suites against a target and aggregates the results. */
export async function execute(runner: Runner, execution: Execution): Promise<Executed> {
  const { target, options } = execution;
  const startedAt = new Date().toISOString();
  const started = performance.now();
  const { runId = randomUUID(), preflight } = execution;
  const stops = (preflight?.findings ?? []).filter(stopsRun);
  const input: RunInput = {
    runId,
    target,
    options: {
      ...options,
      ...settling(options, preflight),
      ...(preflight && { sentBefore: preflight.requests }),
    },
    ...(execution.journal && { journal: execution.journal(runId) }),
    ...(execution.transport && { transport: execution.transport }),
    ...(preflight && {
      handOver: preflight.handOver,
      unclear: preflight.findings.filter(({ outcome }) => outcome === 'unclear'),
    }),
  };
  const redactor = redactorFor(target, options.suites);
  const outcome =
    preflight && stops.length > 0 ? unsent(preflight) : await runner.run(input, execution.onResult);
  outcome.problems = outcome.problems.map((problem) => redactor.text(problem));
  const report = aggregate(
    options.suites.map(catalogueOf),
    [
      ...outcome.results,
      ...asChecks(outcome, options),
      ...stops.map((stop, i) => ({
        ...undecidedCheck(`${PREFLIGHT}${i + 1}`, options),
        title: 'the target lets the suite in with what the configuration says',
        reason: [stop.message, ...(stop.details ?? [])].join('\n'),
      })),
    ],
    {
      tool: tool(),
      target: redactor.deep({
        name: target.name,
        ...(target.title !== undefined && { title: target.title }),
        urls: urlsOf(target),
      }),
      startedAt,
      durationMs: performance.now() - started,
      seed: options.seed,
      strict: options.strict,
      isPart: execution.isPart ?? false,
      requests: outcome.requests + (preflight?.requests ?? 0),
      grep: options.grep,
      ...(execution.baseline && { baseline: execution.baseline }),
      ...(execution.budget && { budget: execution.budget }),
      ...(execution.gates && { gates: execution.gates }),
      redacted: sum(outcome.redacted, redactor.counts),
    },
  );
  // The checks that could not run any more might have failed, so the run is undecided.
  if (outcome.died || stops.length > 0) report.exitCode = 3;
  return { report, outcome };
}

/**
 * Presents mistakes in the suites as errored checks, so that they show in every report. A suite that did not
 * load, or a check that ended without a result, leaves the run undecided.
 */
function asChecks(outcome: RunOutcome, options: RunOptions): CheckResult[] {
  return outcome.problems.map((problem, i) => ({
    ...undecidedCheck(`SUITE-PROBLEM/${i + 1}`, options),
    title: 'the suite itself runs without mistakes',
    reason: outcome.died ? problem : `a mistake in the suite itself, please report it: ${problem}`,
  }));
}

/** The entry in a report that stands for checks that did not run. */
function undecidedCheck(id: string, options: RunOptions): CheckResult {
  return {
    id,
    title: '',
    suite: options.suites[0] ?? 'none',
    requirements: [],
    verdict: 'errored',
    verdicts: {},
    findings: [],
    observations: [],
    effects: 'read',
    startedAt: new Date().toISOString(),
    durationMs: 0,
    exchanges: [],
    sharedExchanges: [],
  };
}

/**
 * How long the run waits after each change: what the target's configuration says, and at least the lag that
 * the preflight saw.
 */
function settling(
  { settleMs = 0 }: RunOptions,
  preflight: PreflightOutcome | undefined,
): Pick<RunOptions, 'settleMs'> {
  const most = Math.max(settleMs, preflight?.settleMs ?? 0);
  return most > 0 ? { settleMs: most } : {};
}

/** The outcome of a run that its preflight stopped. */
function unsent({ stays, counts }: PreflightOutcome): RunOutcome {
  return { ...nothingYet(), stays, counts };
}
