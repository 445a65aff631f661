/**
 * A thread of the proof: loads the suites once, and runs their checks in a fresh session for every case. A
 * thread per case would have to load everything again, which takes longer than running the checks.
 */
import type { MessagePort } from 'node:worker_threads';
import { addPlugins } from '../check/services.ts';
import type { RunInput } from '../check/session.ts';
import type { DefinedCheck } from '../check/suite.ts';
import { catalogueOf } from '../model/catalogue/registry.ts';
import { messageOf } from '../model/message-of.ts';
import type { LaneOptions } from '../run/lanes.ts';
import { checksOf } from '../run/suite-files.ts';
import { changedChecks } from './changed-checks.ts';
import { ProofClock } from './clock.ts';
import { findingsOf, type Requirements } from './findings.ts';
import type { KnownOutcome } from './kept.ts';
import type { CaseOutcome, ProofCase } from './model.ts';
import { type ConcernModule, Reach } from './reach.ts';
import { runCase } from './run-case.ts';

/** One case, ready to be run. */
export interface CaseInput extends Omit<RunInput, 'runId'> {
  facts: ProofCase;
  transport: NonNullable<RunInput['transport']>;
  /** An earlier outcome, which holds if the checks that have changed say the same again. */
  known?: KnownOutcome;
}

/** What the thread is opened with. */
export interface ProofData {
  /** Files of the suites, by suite, in the order in which they run. */
  files: Record<string, string[]>;
  /** Folders of the plugins that the thread has to load too. */
  plugins: string[];
  /** The input for the reference itself, for each service. */
  references: Record<string, CaseInput>;
  lanes: LaneOptions;
  /** Whether a case runs only those checks that get other answers from it than from the reference. */
  reached: boolean;
}

/** Messages to the thread. */
export interface ToCases {
  run: CaseInput;
}

/**
 * Messages from the thread: that it is ready for a case, the outcome of one, or that something went wrong
 * outside of checks.
 */
export type FromCases = { ready: true } | Judged | { problem: string };

/** The outcome of a case. */
export interface Judged {
  outcome: CaseOutcome;
  /** It is the earlier one: only the checks that have changed ran, and they say the same. */
  held: boolean;
}

/** See `ThreadModule`. */
export async function work(port: MessagePort, data: ProofData): Promise<void> {
  await addPlugins(data.plugins);
  // Every refusal is an error that is thrown and caught,
  // thousands of times. Nobody looks at their stack traces.
  Error.stackTraceLimit = 0;
  const tell = (told: FromCases) => port.postMessage(told);
  const checks = new Map<string, DefinedCheck[]>();
  for (const [suite, files] of Object.entries(data.files)) checks.set(suite, await checksOf(files));
  const clock = new ProofClock(Date.now());
  const cases = new Cases(checks, data, clock);
  port.on('message', async ({ run }: ToCases) => {
    clock.begin();
    try {
      tell(await cases.outcomeOf(run));
    } catch (error) {
      tell({ problem: `${run.facts.id}: ${messageOf(error)}` });
    }
    tell({ ready: true });
  });
  tell({ ready: true });
}

/** Runs cases with the checks of their suites. */
class Cases {
  readonly #checks: ReadonlyMap<string, DefinedCheck[]>;
  readonly #data: ProofData;
  readonly #clock: ProofClock;
  readonly #reaches = new Map<string, Promise<Reach>>();

  constructor(checks: ReadonlyMap<string, DefinedCheck[]>, data: ProofData, clock: ProofClock) {
    this.#checks = checks;
    this.#data = data;
    this.#clock = clock;
  }

  /** Returns the outcome of a case: the earlier one, if that still holds. */
  async outcomeOf(input: CaseInput): Promise<Judged> {
    if (input.known && (await this.#stillHolds(input.known, input)))
      return { outcome: input.known.outcome, held: true };
    return { outcome: await this.#newOutcomeOf(input), held: false };
  }

  /**
   * Runs a case. If the outcome shows something wrong with the suites, all checks are run: a check that was
   * left out may be one that another needed.
   */
  async #newOutcomeOf(input: CaseInput): Promise<CaseOutcome> {
    const { facts } = input;
    const all = this.#checksOf(input);
    const chosen = await this.#checksFor(input, all);
    const outcome = await this.#run(input, chosen);
    if (chosen.length === all.length || findingsOf({ facts, outcome }, requirementsOf(input)).length === 0)
      return outcome;
    return this.#run(input, all);
  }

  /** Whether the checks of a case that have changed say what they said before. */
  async #stillHolds({ outcome, changed }: KnownOutcome, input: CaseInput): Promise<boolean> {
    const again = changedChecks(this.#checksOf(input), changed);
    if (again === undefined) return false;
    const { facts } = input;
    const chosen = await this.#checksFor(input, [...again.changed, ...again.judges]);
    const now = await this.#run(input, chosen);
    if (facts.kind !== 'trivial') return again.sayTheSame(now, outcome);
    // All that matters there is what passes, and of that it is not known which check it was.
    return (
      outcome.passed.length === 0 && findingsOf({ facts, outcome: now }, requirementsOf(input)).length === 0
    );
  }

  #run(input: CaseInput, checks: readonly DefinedCheck[]): Promise<CaseOutcome> {
    const { id, kind } = input.facts;
    return runCase(id, checks, input, kind === 'trivial', this.#data.lanes, this.#clock);
  }

  #checksOf({ options }: CaseInput): DefinedCheck[] {
    return options.suites.flatMap((suite) => this.#checks.get(suite) ?? []);
  }

  /** Returns those of the checks that may say something else of the case than of the reference. */
  async #checksFor(input: CaseInput, all: readonly DefinedCheck[]): Promise<readonly DefinedCheck[]> {
    const isMet = await this.#whatIsMet(input, all);
    if (isMet === undefined) return all;
    return all.filter(
      (check) => check.requirements.some((id) => input.facts.breaks.includes(id)) || isMet(check),
    );
  }

  /**
   * Returns a function that says whether a check may be
   * affected by a case; undefined where every check may be.
   */
  async #whatIsMet(
    input: CaseInput,
    checks: readonly DefinedCheck[],
  ): Promise<((check: DefinedCheck) => boolean) | undefined> {
    const { module, params } = input.transport;
    const change = ((await import(/* @vite-ignore */ module)) as ConcernModule).concernOf(params);
    if (change) {
      const reach = await this.#reachOf(input.facts.service, checks);
      if (!this.#data.reached) return (check) => reach.meets(check, change);
      const seeing = await reach.seeing(change);
      return ({ id }) => seeing.has(id);
    }
    if (!this.#data.reached || !isComparable(input.facts)) return undefined;
    const touched = await (await this.#reachOf(input.facts.service, checks)).touched(input);
    return touched && (({ id }) => touched.has(id));
  }

  /** Returns what checks of a service meet on the reference, which is traced once. */
  #reachOf(service: string, checks: readonly DefinedCheck[]): Promise<Reach> {
    const name = [service, ...checks.map(({ id }) => id)].join(' ');
    const known = this.#reaches.get(name) ?? Reach.trace(checks, this.#data.references[service] as CaseInput);
    this.#reaches.set(name, known);
    return known;
  }
}

/**
 * Whether the configuration of a case is that of the reference, so that the same requests can be sent to it.
 */
function isComparable({ kind, configure }: ProofCase): boolean {
  return kind !== 'reference' && kind !== 'trivial' && configure === undefined;
}

/** The requirements of the suites that run on a case, by id. */
function requirementsOf({ options }: CaseInput): Requirements {
  return new Map(
    options.suites.flatMap((suite) =>
      catalogueOf(suite).requirements.map((each) => [each.id, each] as const),
    ),
  );
}
