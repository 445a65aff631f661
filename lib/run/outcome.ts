import type { CheckResult } from '../model/results.ts';

/** Called with the result of each check as it ends. */
export type OnResult = (result: CheckResult) => void;

/** What a session leaves behind. */
export interface SessionEnd {
  /** What could not be put back as it was, a sentence each. */
  leftovers: string[];
  /** What was made and stays, since nothing can take it back, a sentence each. */
  stays: string[];
  /** HTTP requests sent, hooks included. */
  requests: number;
  /** The suites' own counters, by name, such as `registration attempts`. */
  counts: Record<string, number>;
  /** How many times each redaction label replaced a secret. */
  redacted: Record<string, number>;
}

/** The outcome of a run. */
export interface RunOutcome extends SessionEnd {
  results: CheckResult[];
  /** Errors outside of checks: a suite that does not load, an unhandled rejection, leftovers. */
  problems: string[];
  /** Whether the thread that ran the checks ended before they did; most likely it ran out of memory. */
  died: boolean;
}

/** The outcome of a run that has sent nothing yet. */
export function nothingYet(): RunOutcome {
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

/** Adds counts by name. */
export function sum(
  counts: Record<string, number>,
  more: ReadonlyMap<string, number>,
): Record<string, number> {
  const total = { ...counts };
  for (const [label, count] of more) total[label] = (total[label] ?? 0) + count;
  return total;
}
