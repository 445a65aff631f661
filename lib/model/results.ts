/**
 * The data of a run: what checks produce and what reporters read (DESIGN sections 4 and 5). Everything here is
 * plain data that survives JSON and structured clone.
 */

/** The outcome of one check or one requirement (DESIGN section 5). */
export type Verdict = 'passed' | 'failed' | 'warned' | 'observed' | 'skipped' | 'blocked' | 'errored';

/** How binding an entry of the catalogue is (DESIGN section 3). */
export type Level = 'required' | 'advised' | 'silence' | 'untestable';

/** Why a required entry is required: the text says so, or it follows by necessity. */
export type Basis = 'stated' | 'derived';

/** What a check may do to the target (DESIGN section 7). */
export type Effect = 'read' | 'write' | 'settings';

/** One header line as it was on the wire; lists of them keep the order and the repeats. */
export type HeaderPair = readonly [name: string, value: string];

/** A message body as recorded: its text up to a limit, and its full size. */
export interface RecordedBody {
  /** The body decoded as UTF-8, cut at the recording limit; absent when there was none. */
  text?: string;
  /** Size in bytes as received or sent, before any cut. */
  bytes: number;
  /** True when `text` is shorter than the body was. */
  cut?: boolean;
  /** SHA-256 of the whole body, in hexadecimal, where `text` is shorter. */
  sha256?: string;
}

/** One recorded HTTP request and what came back. */
export interface Exchange {
  /** Unique within the run, in the order of sending: `x17`. */
  id: string;
  /** What the request was for, in a few words: `create an address`. */
  purpose: string;
  /** The name of the target's hook, where the exchange was a call of one. */
  hook?: string;
  /** When it was sent, ISO 8601. */
  startedAt: string;
  /** From sending to the last byte of the answer, in milliseconds. */
  durationMs: number;
  /** How long pacing held it back before it was sent, in milliseconds. */
  waitedMs?: number;
  /** How much time the check deliberately let pass on the target before it was sent, in milliseconds. */
  passedMs?: number;
  /** The check sent it while an earlier request of its own was still under way. */
  atOnce?: true;
  request: { method: string; url: string; headers: HeaderPair[]; body?: RecordedBody };
  /** Absent when no answer came; `error` says why, or why the answer that came could not be used. */
  response?: { status: number; headers: HeaderPair[]; body: RecordedBody };
  error?: string;
}

/** One violated expectation: enough to fix the bug without looking anywhere else. */
export interface Finding {
  /** The requirement that does not hold. */
  requirement: string;
  /** One sentence: what was expected and what was found instead. */
  message: string;
  /** The exchange that shows it. */
  exchange?: string;
  /** The exchange that caused it, where `exchange` only reveals it: the PATCH before the GET. */
  by?: string;
  /** JSON pointer into the answer's body, or `header:Name`, or `status`. */
  pointer?: string;
  /** What the specification asks for, as short text. */
  expected?: string;
  /** What the target gave, as short text. */
  found?: string;
}

/** A line of code. */
export interface SourcePlace {
  file: string;
  line: number;
}

/** How the target fills one silence of the specification. */
export interface Observation {
  /** The id of the silence in the catalogue. */
  id: string;
  /** The question that the specification leaves open. */
  question: string;
  /** What this target does. */
  answer: string;
}

/** The outcome of one check. */
export interface CheckResult {
  /** It never changes: a requirement id, with `/case` where a requirement has several checks. */
  id: string;
  suite: string;
  title: string;
  requirements: string[];
  verdict: Verdict;
  /** Why, in full and for a human reader; present with every verdict but `passed`. */
  reason?: string;
  /** What this check says about each requirement that it cites. */
  verdicts: Record<string, Verdict>;
  findings: Finding[];
  observations: Observation[];
  /** For `blocked`: the requirement that has to hold first, where one is known. */
  blockedBy?: string;
  effects: Effect;
  /** Where the check is written, relative to its package. */
  source?: SourcePlace;
  startedAt: string;
  durationMs: number;
  exchanges: Exchange[];
  /** True when the failure did not recur on repetition: the answers differ from one time to the next. */
  unsteady?: boolean;
  /** Ids of exchanges of earlier checks that this one relies on, such as a twin that several checks share. */
  sharedExchanges: string[];
}

/** A few words of a specification, and the number of the section where they stand. */
export interface Quote {
  section: string;
  text: string;
}

/** One entry of the catalogue, with the outcome of the run for it. */
export interface RequirementResult {
  id: string;
  suite: string;
  section: string;
  level: Level;
  basis?: Basis;
  title: string;
  statement: string;
  /** The words of the specification that it is based on. */
  quote?: Quote;
  /** Absent for `untestable` entries and for those that no check ran for. */
  verdict?: Verdict;
  severity?: 'critical' | 'major' | 'minor';
  /** Advised entries: the standard that says it. */
  standard?: string;
  /** The usual mistake of servers that break it: where to look first. */
  cause?: string;
  /** Untestable entries: why. */
  reason?: string;
  /** Ids of the checks that cite it. */
  checks: string[];
}

/** Counts of requirements of level `required`, unless said otherwise; the denominators of a report. */
export interface Totals {
  /** Required entries in the catalogue of the suites that were selected. */
  requirements: number;
  /** Those with a verdict `passed` or `failed`. */
  exercised: number;
  passed: number;
  failed: number;
  skipped: number;
  blocked: number;
  errored: number;
  /** Advised entries violated. */
  warned: number;
  /** Silences that got an answer. */
  observed: number;
  /** Entries that cannot be tested from outside. */
  untestable: number;
  checks: Record<Verdict, number>;
  /** How many checks failed and did not fail again when they were repeated; absent when there are none. */
  unsteady?: number;
}

/** A likely cause: it fits what failed and what was found, as compared with the kill matrix of the proof. */
export interface Diagnosis {
  /** The deviation whose failures resemble those of the run; absent if only the root requirement is known. */
  deviation?: string;
  /** The requirement whose violation explains the other failures. */
  requirement: string;
  /** "an implementation that …"; without a deviation, the title of the requirement that is broken. */
  sentence: string;
  /** How well it fits, from 0 to 1. */
  score: number;
  /** The failed checks that it explains. */
  checks: string[];
}

/** Failures shown by the same answers, or caused by the same request: they probably have one cause. */
export interface FailureGroup {
  /** The requirement to look at first. */
  root: string;
  /** All requirements of the group that do not hold, the root first. */
  requirements: string[];
  /** Ids of the failed checks, the one that shows the root first. */
  checks: string[];
  /** The exchanges that show them. */
  exchanges: string[];
  /** The highest severity among its requirements. */
  severity: 'critical' | 'major' | 'minor';
  /** How many checks are blocked by one of its requirements. */
  blocks: number;
}

/** One entry of the user's baseline of known failures, compared with the run. */
export interface BaselineResult {
  /** Id of a requirement, or a pattern. */
  id: string;
  reason?: string;
  link?: string;
  expires?: string;
  /**
   * `fails`: it still fails. `holds`: everything that it names was exercised and holds. `expired`: its date
   * has passed, so it has no effect. `not-exercised`: the run cannot tell.
   */
  state: 'fails' | 'holds' | 'expired' | 'not-exercised';
  /** The failed requirements that it names. */
  failed: string[];
}

/** What a run with a budget covers: how many checks, and how many of the deviations that they catch. */
export interface BudgetResult {
  /** About how many requests the run was to send. */
  requests: number;
  /** How many checks were chosen (`checks`) of all checks in the suites (`of`). */
  checks: number;
  of: number;
  /** Deviations that, in the proof, some check of the suites fails on. */
  deviations: {
    known: number;
    /** How many of them the chosen checks fail on. */
    caught: number;
    /** How many of them the checks fail on for which the configuration has what they need. */
    catchable: number;
  };
}

/** A sentence about a demand of the user, besides the verdict, that the run does not meet. */
export type UnmetGate = string;

/** A whole run, as written to `report.json`; its schema is published in `schemas/`. */
export interface RunReport {
  /** Version of this format. */
  format: 1;
  tool: { name: string; version: string };
  target: { name: string; title?: string; urls: Record<string, string> };
  startedAt: string;
  durationMs: number;
  seed: number;
  suites: {
    name: string;
    title: string;
    spec: string;
    /** Version of its catalogue with a digest of what it demands: `1.2.0+5f0c0a8b3d21`. */
    catalogueVersion?: string;
    /** Headings of the specification by the number of the section. */
    sections?: Record<string, string>;
    totals: Totals;
  }[];
  totals: Totals;
  /** The exit status of the run: 0, 1 or 3, as DESIGN section 5 defines. */
  exitCode: 0 | 1 | 3;
  /** The verdict in one sentence with its denominators. */
  summary: string;
  requirements: RequirementResult[];
  checks: CheckResult[];
  observations: Observation[];
  diagnoses: Diagnosis[];
  /** The failed requirements, each in one group; the group to fix first comes first. */
  groups: FailureGroup[];
  /** HTTP requests sent, hooks included. */
  requests: number;
  /** Failed requirements that the user's list of known failures names; they do not decide the exit status. */
  known: string[];
  /** The user's baseline, compared with the run; absent without one. */
  baseline?: BaselineResult[];
  /** What `--strict-baseline`, `--min-exercised` and `--require` demand and the run does not meet. */
  gates?: UnmetGate[];
  /** The patterns that restricted the run (`--grep`); the denominators count only what these selected. */
  chosen?: string[];
  /** How many times each label stands in the place of a secret. */
  redacted?: Record<string, number>;
  /** What `--budget` chose. */
  budget?: BudgetResult;
  /** For the report of a shard: which one it is, and what has to be known to merge it with the others. */
  shard?: {
    index: number;
    of: number;
    strict: boolean;
    /** The demands that the merged run has to meet (see `gates`); no shard is judged by them alone. */
    gates: Record<string, unknown>;
    /** Some checks of the shard did not get their turn. */
    cut?: boolean;
  };
  /** What could not be restored, or may not have been, a sentence each; `conform clean` tries again. */
  leftovers?: string[];
  /** The run was stopped before its end. */
  interrupted?: {
    /** Selected entries of the catalogue that no check had covered by then. */
    withoutTurn: number;
  };
  /** What the run created and nothing can remove, a sentence each. */
  stays?: string[];
}
