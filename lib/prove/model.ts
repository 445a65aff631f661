/** The vocabulary of the proof: what is run, what the outcome is, what is wrong with the suite. */
import type { Verdict } from '../model/results.ts';

/** One server that the suites are run against. Plain data. */
export interface ProofCase {
  /** Unique: `<service>/<id>`, `<service>/variants/…`, `<service>/trivial/…`. */
  id: string;
  /** The name of the service that it is a server of. */
  service: string;
  kind: 'reference' | 'deviation' | 'pair' | 'variant' | 'trivial';
  origin: 'hand' | 'generated';
  /** Completes "an implementation that …". */
  sentence: string;
  /** Pairs: the ids of the deviations that are combined. */
  of?: readonly string[];
  /** Pairs: what each of these deviations breaks, in the same order. */
  parts?: readonly (readonly string[])[];
  /** Deviations and pairs: the requirements that it breaks; a check has to fail on each. */
  breaks: readonly string[];
  /** Deviations: further requirements that checks may fail on. */
  entails: readonly string[];
  /** Variants: the silences that it fills in another way. */
  fills: readonly string[];
  /** Keys of the target's configuration that this server needs to be different. */
  configure?: Record<string, unknown>;
}

/** The verdict of one check on one case, where it did not simply pass. */
export interface CheckOutcome {
  check: string;
  verdict: Verdict;
  /** The requirements that it failed, warned of, blocked or could not decide. */
  verdicts: Record<string, Verdict>;
  /** Blocked checks: the requirement that blocks them, if they named one. */
  blockedBy?: string;
  /** First line of the reason. */
  reason: string;
  /** Failed checks: what they found, without test data (see `evidenceOf`). */
  evidence?: string[];
}

/** The outcome of one case. */
export interface CaseOutcome {
  id: string;
  /** How many checks ran. */
  checks: number;
  requests: number;
  durationMs: number;
  /** Checks with a verdict other than passed, observed or skipped. */
  notable: CheckOutcome[];
  /** Ids of checks that were skipped. */
  skipped: string[];
  /** The requirement that a report names first, where anything failed. */
  first?: string;
  /** Trivial servers: the requirements that some check passed. */
  passed: string[];
}

/** One thing that the proof shows to be wrong with the suite. */
export interface Finding {
  kind: FindingKind;
  /** The id of the case, where the finding is about one. */
  case?: string;
  requirement?: string;
  check?: string;
  message: string;
  /** The reason why it is tolerated, where an exception covers it. */
  exception?: string;
}

export type FindingKind =
  /** A deviation on which no check failed for a requirement that it breaks. */
  | 'survivor'
  /** A check failed on a requirement that the deviation does not break. */
  | 'over-blame'
  /** A check that is blocked on a deviation or pair, but by nothing that failed. */
  | 'rootless'
  /** A check failed on a conforming variant, or on the reference. */
  | 'false-alarm'
  /** A check could not be decided on a conforming variant, or on the reference. */
  | 'undecided'
  /** A required requirement passed on a trivial server. */
  | 'pass'
  /** A required requirement that no deviation breaks. */
  | 'unproven'
  /** A silence that no variant fills. */
  | 'unvaried'
  /** A check that broke down, whatever the server did. */
  | 'mistake'
  /** An exception that covers nothing any more, or a document that is out of date. */
  | 'stale';
