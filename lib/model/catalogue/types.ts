/** The requirement catalogue as written in `suites/<suite>/requirements/*.yaml`, or one `requirements.yaml` (DESIGN section 3). */
import type { Basis, Level, Quote } from '../results.ts';

/** How bad it is for a client when the requirement does not hold. */
export type Severity = 'critical' | 'major' | 'minor';

/** The place of each severity in an order that has the worst first. */
export const SEVERITY_RANK: Readonly<Record<Severity, number>> = { critical: 0, major: 1, minor: 2 };

/** One entry of a catalogue. Its id never changes meaning once published. */
export interface Requirement {
  id: string;
  /** Where the specification says it: `4.1`, `2 Address`, `8`. */
  section: string;
  level: Level;
  /** Required entries only. */
  basis?: Basis;
  /** Advised entries only: the standard and section, `RFC 7009 2.1`. */
  standard?: string;
  /** A few words, "X does Y", unique. */
  title: string;
  /** One or two sentences in our own words; for a silence, the question it leaves open. */
  statement: string;
  /** Required entries only: the words of the specification that it is based on, with their section. */
  quote?: Quote;
  /** Required and advised entries only. */
  severity?: Severity;
  /**
   * The schema property that it is about, such as `Address/name`: values that do not fit are blamed on it.
   */
  field?: string;
  /** The usual mistake of servers that break it: where to look first. */
  cause?: string;
  /** Why nothing tests it: for untestable entries, and for required ones without a check. */
  reason?: string;
}

/** One suite's catalogue. */
export interface Catalogue {
  suite: string;
  title: string;
  /**
   * Version of what it demands, by semantic versioning: a changed or removed demand is a new major version, a new one a
   * minor version, another wording of the same a patch.
   */
  version?: string;
  /** The specification, by the name of its file without the extension. */
  spec: string;
  /** Headings of the specification by the number of the section. */
  sections?: Record<string, string>;
  requirements: Requirement[];
}
