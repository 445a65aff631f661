import type { CheckResult } from '../model/results.ts';

/** Told about each check as it ends. */
export type OnResult = (result: CheckResult) => void;

/** What a session leaves behind. */
export interface SessionEnd {
  /** What could not be put back as it was, a sentence each. */
  leftovers: string[];
  /** What was made and stays, since nothing can take it back, a sentence each. */
  stays: string[];
  /** HTTP requests sent, hooks included. */
  requests: number;
  /** What suites counted, by name: `registration attempts`. */
  counts: Record<string, number>;
  /** How many times each label was put in the place of a secret. */
  redacted: Record<string, number>;
}

/** What a run gave. */
export interface RunOutcome extends SessionEnd {
  results: CheckResult[];
  /** Errors outside of checks: a suite that does not load, an unhandled rejection, leftovers. */
  problems: string[];
  /** The thread that ran the checks ended before they did: out of memory, most likely. */
  died: boolean;
}

/** That of a run that has sent nothing yet. */
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

/** Counts by name, added up. */
export function sum(
  counts: Record<string, number>,
  more: ReadonlyMap<string, number>,
): Record<string, number> {
  const total = { ...counts };
  for (const [label, count] of more) total[label] = (total[label] ?? 0) + count;
  return total;
}
