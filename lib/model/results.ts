/**
 * The vocabulary of a run: what checks produce, what reporters read (DESIGN sections 4 to 6).
 * Everything here is plain data that survives JSON and structured clone.
 */

/** What one check, or one requirement, came to (DESIGN section 5). */
export type Verdict = 'passed' | 'failed' | 'warned' | 'observed' | 'skipped' | 'blocked' | 'errored';

/** How binding an entry of the catalogue is (DESIGN section 3). */
export type Level = 'required' | 'advised' | 'silence' | 'untestable';

/** Why a required entry is required: the text says so, or it follows by necessity. */
export type Basis = 'stated' | 'derived';

/** What a check may do to the target (DESIGN section 7). */
export type Effect = 'read' | 'write' | 'settings';

/** A header as it was on the wire, in order, repeats kept. */
export type HeaderPair = [name: string, value: string];

/** A message body as recorded: text as UTF-8 with a bound, the true size beside it. */
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
  /** The hook of the target that it called, by its name. */
  hook?: string;
  /** When it was sent, ISO 8601. */
  startedAt: string;
  /** From sending to the last byte of the answer, in milliseconds. */
  durationMs: number;
  /** How long pacing held it back before it was sent, in milliseconds. */
  waitedMs?: number;
  /** How long the check let pass on the target before it was sent, on purpose, in milliseconds. */
  passedMs?: number;
  /** The check sent it while an earlier request of its own was still under way. */
  atOnce?: true;
  request: { method: string; url: string; headers: HeaderPair[]; body?: RecordedBody };
  /** Absent when no answer came; `error` says why, or why the one that came could not be used. */
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
  /** The exchange that did it, where another one shows it: the PATCH before the GET. */
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
  /** Stable: a requirement id, with `/case` where a requirement has several checks. */
  id: string;
  suite: string;
  title: string;
  requirements: string[];
  verdict: Verdict;
  /** For every verdict but `passed`: why, whole, as a person reads it. */
  reason?: string;
  /** Each cited requirement on its own: what this check says about it. */
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
  /** True where a failure did not come again when it was repeated: an answer differed from one time to the next. */
  unsteady?: boolean;
  /** Exchanges of earlier checks that this one rests on, by id (a shared twin). */
  sharedExchanges: string[];
}

/** A few words of a specification, and the number of the section where they stand. */
export interface Quote {
  section: string;
  text: string;
}

/** One entry of the catalogue with what the run says about it. */
export interface RequirementResult {
  id: string;
  suite: string;
  section: string;
  level: Level;
  basis?: Basis;
  title: string;
  statement: string;
  /** The words of the specification that it rests on. */
  quote?: Quote;
  /** `untestable` entries and those that no check ran for have none. */
  verdict?: Verdict;
  severity?: 'critical' | 'major' | 'minor';
  /** Advised entries: the standard that says it. */
  standard?: string;
  /** How a server usually comes to break it; what to look at first. */
  cause?: string;
  /** Untestable entries: why. */
  reason?: string;
  /** Ids of the checks that cite it. */
  checks: string[];
}

/** Counts over requirements of level `required` (the honest denominators). */
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
  /** Checks whose failure did not come again when it was repeated, where there are any. */
  unsteady?: number;
}

/** A cause that fits the pattern of failures and what was found (from the kill matrix of the proof). */
export interface Diagnosis {
  /** The deviation whose signature fits; absent where only the requirement at the root is known. */
  deviation?: string;
  /** The requirement at the root. */
  requirement: string;
  /** "an implementation that …"; without a deviation, the title of the requirement that is broken. */
  sentence: string;
  /** 0 to 1. */
  score: number;
  /** The failed checks that it explains. */
  checks: string[];
}

/** Failures that rest on the same answers, or on the same request that caused them: probably one fault. */
export interface FailureGroup {
  /** The requirement to look at first. */
  root: string;
  /** All requirements of the group that do not hold, the root first. */
  requirements: string[];
  /** Ids of the failed checks, the one that shows the root first. */
  checks: string[];
  /** The exchanges that show them. */
  exchanges: string[];
  /** The worst of its requirements. */
  severity: 'critical' | 'major' | 'minor';
  /** How many checks are blocked by one of its requirements. */
  blocks: number;
}

/** One entry of the user's baseline of known failures, held against the run. */
export interface BaselineResult {
  /** Id of a requirement, or a pattern. */
  id: string;
  reason?: string;
  link?: string;
  expires?: string;
  /**
   * `fails`: as known. `mended`: everything that it names was exercised and holds. `expired`: it counts no more.
   * `not-exercised`: the run does not tell.
   */
  state: 'fails' | 'mended' | 'expired' | 'not-exercised';
  /** The failed requirements that it names. */
  failed: string[];
}

/** A run with a budget: what it left out, in checks and in what they catch. */
export interface BudgetResult {
  /** Requests that it was to take about. */
  requests: number;
  /** Checks that were chosen, and how many there are in the suites. */
  checks: number;
  of: number;
  /** Deviations that the proof knows and that some check of the suites fails on. */
  deviations: {
    known: number;
    /** By the chosen checks. */
    caught: number;
    /** By all checks for which the configuration has what they need. */
    catchable: number;
  };
}

/** What the user asked of the run beyond its verdict, where it is not met: a sentence each. */
export type UnmetGate = string;

/** A whole run; `report.json` is this, and its schema is published in `schemas/`. */
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
  /** 0, 1 or 3, as DESIGN section 5 defines. */
  exitCode: 0 | 1 | 3;
  /** The verdict in one sentence with its denominators. */
  summary: string;
  requirements: RequirementResult[];
  checks: CheckResult[];
  observations: Observation[];
  diagnoses: Diagnosis[];
  /** The failed requirements, each in one group; what to mend first stands first. */
  groups: FailureGroup[];
  /** HTTP requests sent, hooks included. */
  requests: number;
  /** Failed requirements that the user's list of known failures names; they do not decide the exit status. */
  known: string[];
  /** The user's baseline, held against the run; absent without one. */
  baseline?: BaselineResult[];
  /** What `--strict-baseline`, `--min-exercised` and `--require` ask for and the run does not give. */
  gates?: UnmetGate[];
  /** The patterns that narrowed the run down (`--grep`); the denominators are of what they chose. */
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
    /** What the whole run has to show besides; a shard is not judged by it. */
    gates: Record<string, unknown>;
    /** Checks of the shard had no turn. */
    cut?: boolean;
  };
  /** What could not be put back as it was, or is in doubt, a sentence each; `conform clean` tries again. */
  leftovers?: string[];
  /** The run was stopped before its end. */
  interrupted?: {
    /** Entries of the catalogue that were chosen and that no check had looked at yet. */
    withoutTurn: number;
  };
  /** What the run made and nothing can take back, a sentence each. */
  stays?: string[];
}
