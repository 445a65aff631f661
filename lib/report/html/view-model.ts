/** What the templates of the page are given: plain data, in which every string is inert. */
import type { Observation, Totals } from '../../model/results.ts';
import type { Outcome } from '../words.ts';
import type { ExchangeView } from './evidence.ts';

/** How the page words and marks an outcome; never by colour alone. */
export const outcomeWords: Record<Outcome, { word: string; glyph: string }> = {
  passed: { word: 'holds', glyph: '✓' },
  failed: { word: 'does not hold', glyph: '✗' },
  warned: { word: 'warning', glyph: '!' },
  observed: { word: 'observed', glyph: '○' },
  blocked: { word: 'blocked', glyph: '?' },
  errored: { word: 'undecided', glyph: '?' },
  skipped: { word: 'skipped', glyph: '–' },
  'not-run': { word: 'not run', glyph: '' },
  untestable: { word: 'not testable', glyph: '·' },
};

/** A share of a bar. */
export interface Share {
  outcome: Outcome;
  word: string;
  n: number;
  /** Position and width in a bar of 1000 units. */
  x: number;
  width: number;
}

/** One violated expectation. */
export interface FindingView {
  message: string;
  where?: string;
  expected?: string;
  found?: string;
}

/** What one exchange of one check shows to be wrong, with the request that shows it. */
export interface EvidenceView {
  findings: FindingView[];
  /** How many findings like these were left out. */
  more: number;
  check: string;
  anchor: string;
  exchange?: ExchangeView;
  /** The id of the exchange, where it is only in the evidence block. */
  lazyExchange?: string;
  curl?: { command: string; variables: string[]; caveats: string[] };
  /** The request that caused the violation (method, address and body), where the exchange only shows it. */
  by?: string;
}

export interface CheckView {
  id: string;
  anchor: string;
  /** Empty where it would repeat the title of the requirement that the check is shown with. */
  title: string;
  outcome: Outcome;
  word: string;
  glyph: string;
  took: string;
  effects: string;
  /** Where the check is written: `suites/x/y.suite.ts:12`. */
  source?: string;
  reason?: string;
  blockedBy?: string;
  requirements: string[];
  observations: Observation[];
  exchanges: string[];
  shared: string[];
}

export interface RequirementView {
  id: string;
  suite: string;
  section: string;
  level: string;
  basis?: string;
  title: string;
  statement: string;
  /** The words of the specification that it rests on, and where they stand. */
  quote?: { text: string; place: string };
  outcome: Outcome;
  word: string;
  glyph: string;
  severity?: string;
  /** Whether it is on the user's list of known failures. */
  known: boolean;
  standard?: string;
  cause?: string;
  reason?: string;
  open: boolean;
  /** The inside of the entry as markup, where it is in the page from the start. */
  inside?: string;
  evidence: EvidenceView[];
  /** How many more exchanges show the violation; they are found with their checks. */
  further: number;
  /** Checks that are shown here in full. */
  checks: CheckView[];
  /** Checks that cite it and are shown with another requirement. */
  elsewhere: { id: string; anchor: string; word: string; glyph: string; outcome: Outcome }[];
}

export interface SectionView {
  section: string;
  /** Its heading in the specification, where the suite names it. */
  heading?: string;
  /** The anchor for links to it. */
  anchor: string;
  requirements: RequirementView[];
}

/** A part of the specification in the overview of what was looked at: a section, or an endpoint. */
export interface CoverageView {
  name: string;
  heading?: string;
  anchor: string;
  bar: Share[];
  counts: string;
}

export interface SuiteView {
  name: string;
  title: string;
  spec: string;
  totals: Totals;
  undecided: number;
  sentence: string;
  bar: Share[];
  sections: SectionView[];
  coverage: CoverageView[];
  observations: Observation[];
}

export interface PageView {
  headline: string;
  exitCode: number;
  /** Whether requirements were left out, so that the lack of violations proves nothing. */
  partial: boolean;
  /** Gates that were not met, and other notes on the run; see `notesOf`. */
  notes: string[];
  /** What would unlock more requirements; see `unlockLines`. */
  unlock: string[];
  summary: string;
  target: { name: string; title: string; urls: [string, string][] };
  tool: string;
  startedAt: string;
  took: string;
  requests: string;
  seed: number;
  suites: SuiteView[];
  legend: { outcome: Outcome; word: string; glyph: string; n: number }[];
  /**
   * Groups of failures, those to fix first at the beginning. `also` lists the other requirements of a group.
   */
  failures: {
    id: string;
    title: string;
    facts: string;
    message: string;
    together: string;
    also: { id: string; title: string }[];
  }[];
  /** How many of the groups are to be fixed first. */
  first: number;
  diagnoses: { sentence: string; checks: string }[];
  /** Whether any suite observed anything. */
  observed: boolean;
  orphans: CheckView[];
}
