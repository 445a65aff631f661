/**
 * The ways a check can end other than by passing (DESIGN section 5).
 * A check throws one of these; everything else it throws is a mistake of the suite and counts as errored.
 */
import type { Exchange, Finding } from './results.ts';

/** Something that the specification demands does not hold. */
export class Violation extends Error {
  readonly findings: Finding[];
  constructor(findings: Finding[]) {
    super(findings.map((f) => f.message).join('\n'));
    this.name = 'Violation';
    this.findings = findings;
  }
}

/** Something that the check depends on does not hold on this target, so the check cannot decide. */
export class Blocked extends Error {
  readonly by: string | undefined;
  readonly exchange: Exchange | undefined;
  /**
   * @param reason what was needed and what came instead
   * @param by the requirement that has to hold first, where one is known
   * @param exchange what shows that it does not hold, if `by` says that this request has to be a success
   */
  constructor(reason: string, by?: string, exchange?: Exchange) {
    super(reason);
    this.name = 'Blocked';
    this.by = by;
    this.exchange = exchange;
  }
}

/** No verdict is possible: timeout, reset connection, gateway error, throttling. */
export class Undecided extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'Undecided';
  }
}

/**
 * A hook answered that it cannot do what was asked, or its answer makes no sense. Unlike a target that does
 * not answer, the hook was reached.
 */
export class HookFailed extends Undecided {}

/** The configuration lacks something, or the user limited the run. The reason names the key to set. */
export class Skipped extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'Skipped';
  }
}
