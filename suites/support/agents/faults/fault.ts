import type { Body } from '../../../../lib/http/body.ts';
import type { Reason } from '../refusal.ts';
import type { Forge } from './forge.ts';

/** A good registration with one thing changed, so that it has to be refused. */
export interface Fault {
  /** The requirement that it is refused. */
  id: string;
  /** Tells the faults of one requirement apart. */
  case?: string;
  /** A few words for the report. */
  purpose: string;
  /** Completes "although …". */
  why: string;
  /** With which codes it may be refused; absent where nothing is said about them. */
  reason?: Reason;
  /** The entry about that code. */
  judgedBy?: string;
  /** Can be sent without any valid assertion. */
  keyless?: boolean;
  /** Belongs to the larger sweep: the default run does without. */
  sweep?: boolean;
  /**
   * Ids of faults whose requests have this fault too: when those are refused for the right reason, so is this
   * one. It has a request of its own in the larger sweep, or when one of those is not refused.
   */
  shownBy?: string[];
  /** About a user who has registered before: what is asked of a new one may be forgotten there. */
  known?: boolean;
  /** About the user with whom recovery is shown. */
  recovery?: boolean;
  body(forge: Forge): Body | Promise<Body>;
}

/** Name of a fault within the run. */
export function nameOf(fault: Fault): string {
  return fault.case === undefined ? fault.id : `${fault.id}/${fault.case}`;
}
