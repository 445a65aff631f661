import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';
import type { SessionEnd } from '../check/session.ts';
import type { CheckResult } from '../model/results.ts';

/** Told about each check as it ends. */
export type OnResult = (result: CheckResult) => void;

/** What a run gave. */
export interface RunOutcome {
  results: CheckResult[];
  /** Errors outside of checks: a suite that does not load, an unhandled rejection, leftovers. */
  problems: string[];
  /** The worker that ran the checks ended before they did: out of memory, most likely. */
  died: boolean;
  /** What could not be put back as it was. */
  leftovers: string[];
  /** What was made and stays, since nothing can take it back. */
  stays: string[];
  /** HTTP requests sent, hooks included. */
  requests: number;
  /** What suites counted, by name. */
  counts: Record<string, number>;
  /** How many times each label was put in the place of a secret. */
  redacted: Record<string, number>;
}

/** A vitest reporter that gathers what checks leave in `task.meta`. */
export class Collector implements Reporter {
  #onResult: OnResult = () => {};
  #outcome: RunOutcome = empty();
  #ended = false;
  #cancelled = false;

  /** Forgets the previous run. */
  start(onResult: OnResult): void {
    this.#onResult = onResult;
    this.#outcome = empty();
    this.#ended = false;
    this.#cancelled = false;
  }

  /** The run is being stopped: checks that have not begun will have no result. */
  cancel(): void {
    this.#cancelled = true;
  }

  onTestCaseResult(testCase: TestCase): void {
    const { conform, end } = testCase.meta() as {
      conform?: CheckResult;
      end?: SessionEnd;
    };
    if (end) {
      this.#ended = true;
      this.#outcome.leftovers.push(...end.leftovers);
      this.#outcome.stays.push(...end.stays);
      this.#outcome.requests = end.requests;
      this.#outcome.counts = end.counts;
      this.#outcome.redacted = end.redacted;
    } else if (conform) {
      this.#outcome.results.push(conform);
      this.#onResult(conform);
    } else {
      const errors = testCase.result().errors ?? [];
      if (this.#cancelled && errors.length === 0) return;
      this.#outcome.problems.push(
        `check ${testCase.name}: ended without a result ${errors.map((e) => e.message).join('; ')}`,
      );
    }
  }

  onTestModuleEnd(module: TestModule): void {
    for (const error of module.errors())
      this.#outcome.problems.push(`${module.relativeModuleId}: ${error.message}`);
  }

  /** What was gathered since `start`. */
  end(unhandled: readonly unknown[]): RunOutcome {
    for (const error of unhandled) {
      const { message = String(error) } = error as Partial<SerializedError>;
      if (/^\[vitest-pool\]|ERR_WORKER_OUT_OF_MEMORY/.test(message)) {
        this.#outcome.died = true;
        this.#outcome.problems.push(`the worker that ran the checks ended before they did (${message})`);
      } else this.#outcome.problems.push(`unhandled error: ${message}`);
    }
    // Stopped before its last file: what was recorded is what is known to have been sent.
    if (!this.#ended) {
      this.#outcome.requests = this.#outcome.results.reduce(
        (sum, result) => sum + result.exchanges.length,
        0,
      );
    }
    return this.#outcome;
  }
}

function empty(): RunOutcome {
  return {
    results: [],
    problems: [],
    died: false,
    leftovers: [],
    stays: [],
    requests: 0,
    counts: {},
    redacted: {},
  };
}
