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
import { ProofClock } from './clock.ts';
import { findingsOf, type Requirements } from './findings.ts';
import type { CaseOutcome, ProofCase } from './model.ts';
import { type ConcernModule, Reach } from './reach.ts';
import { runCase } from './run-case.ts';

/** One case, ready to be run. */
export interface CaseInput extends Omit<RunInput, 'runId'> {
  facts: ProofCase;
  transport: NonNullable<RunInput['transport']>;
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
export type FromCases = { ready: true } | { outcome: CaseOutcome } | { problem: string };

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
      tell({ outcome: await cases.outcomeOf(run) });
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

  /**
   * Returns the outcome of a case. If it shows something wrong with the suites, all checks are run: a check
   * that was left out may be one that another needed.
   */
  async outcomeOf(input: CaseInput): Promise<CaseOutcome> {
    const { facts } = input;
    const all = this.#checksOf(input);
    const run = (some: readonly DefinedCheck[]) =>
      runCase(facts.id, some, input, facts.kind === 'trivial', this.#data.lanes, this.#clock);
    const chosen = await this.#checksFor(input);
    const outcome = await run(chosen);
    if (chosen.length === all.length || findingsOf({ facts, outcome }, requirementsOf(input)).length === 0)
      return outcome;
    return run(all);
  }

  #checksOf({ options }: CaseInput): DefinedCheck[] {
    return options.suites.flatMap((suite) => this.#checks.get(suite) ?? []);
  }

  /** Returns the checks that may say something else of the case than of the reference. */
  async #checksFor(input: CaseInput): Promise<DefinedCheck[]> {
    const all = this.#checksOf(input);
    const isMet = await this.#whatIsMet(input);
    if (isMet === undefined) return all;
    return all.filter(
      (check) => check.requirements.some((id) => input.facts.breaks.includes(id)) || isMet(check),
    );
  }

  /**
   * Returns a function that says whether a check may be
   * affected by a case; undefined where every check may be.
   */
  async #whatIsMet(input: CaseInput): Promise<((check: DefinedCheck) => boolean) | undefined> {
    const { module, params } = input.transport;
    const change = ((await import(/* @vite-ignore */ module)) as ConcernModule).concernOf(params);
    if (change) {
      const reach = await this.#reachOf(input.facts.service);
      if (!this.#data.reached) return (check) => reach.meets(check, change);
      const seeing = await reach.seeing(change);
      return ({ id }) => seeing.has(id);
    }
    if (!this.#data.reached || !isComparable(input.facts)) return undefined;
    const touched = await (await this.#reachOf(input.facts.service)).touched(input);
    return touched && (({ id }) => touched.has(id));
  }

  /** Returns what the checks of a service meet on the reference, which is traced once. */
  #reachOf(service: string): Promise<Reach> {
    const reference = this.#data.references[service] as CaseInput;
    const known = this.#reaches.get(service) ?? Reach.trace(this.#checksOf(reference), reference);
    this.#reaches.set(service, known);
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
