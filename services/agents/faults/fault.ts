import type { Body } from '../../../lib/http/body.ts';
import type { ErrorCode } from '../../../schemas/agents/index.ts';
import type { JsonObject } from '../idp/compact.ts';
import type { Reason } from '../judging/refusal.ts';
import type { FaultBuilder } from './fault-builder.ts';

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
  /**
   * About a user who has registered before: what is asked of a new one may be forgotten there. Two of them share
   * these, so that neither is refused too often.
   */
  known?: 'first' | 'recovery';
  /** About the user with whom recovery is shown; an attempt is kept for it. */
  recovery?: boolean;
  /** An attempt is kept for it: with those of `recovery`, one for each code that a refusal can have. */
  reserved?: boolean;
  /** Goes into the query of the address. */
  query?: Record<string, string>;
  body(faultBuilder: FaultBuilder): Body | Promise<Body>;
  /** Why its refusal shows nothing on this target, once it was refused; `undefined` where it does. */
  whyNothingShown?(faultBuilder: FaultBuilder): Promise<string | undefined>;
}

/** Name of a fault within the run. */
export function nameOf(fault: Fault): string {
  return fault.case === undefined ? fault.id : `${fault.id}/${fault.case}`;
}

/** The codes of a refusal that may be for the form of an assertion or for its signature. */
export const EITHER = {
  reason: { codes: ['invalid_signature', 'invalid_assertion'] },
  judgedBy: 'AGENT-ERR-FITTING',
} as const;

/** A fault of the larger sweep that is blamed on another one's requirement. */
export function more(id: string, name: string, fault: Omit<Fault, 'id' | 'case' | 'sweep'>): Fault {
  return { ...fault, id, case: name, sweep: true };
}

/** A text that a refusal may quote: signs that JSON escapes, and letters of more than one byte. */
export const SIGNS = 'conformance "other" \\ \u00e9\u2116';

type Judged = Pick<Fault, 'reason' | 'judgedBy'>;

/** A fault that is refused with one of these codes, as an entry says. */
export const judged = (judgedBy: string, ...codes: ErrorCode[]): Judged => ({ reason: { codes }, judgedBy });

/** A fault that has a code of its own and to which the fallback fits too. */
export const either = (code: ErrorCode): Judged => judged('AGENT-ERR-FITTING', code, 'invalid_assertion');

/** A fault in claims that do not depend on the run. */
export function claims(id: string, purpose: string, why: string, by: Judged, changed: JsonObject): Fault {
  return { id, purpose, why, ...by, body: (faultBuilder) => faultBuilder.changed({ claims: changed }) };
}

/** The requirement about each claim that has to be there. */
const ABSENT = {
  aud: 'AGENT-AUD-ABSENT',
  iss: 'AGENT-ISS-ABSENT',
  sub: 'AGENT-SUB-ABSENT',
  email: 'AGENT-EMAIL-ABSENT',
  exp: 'AGENT-EXP-ABSENT',
  jti: 'AGENT-JTI-ABSENT',
};

/** The same claim, there and null: for who looks only whether it is there. */
export function nullClaim(claim: keyof typeof ABSENT, by: Judged): Fault {
  return {
    ...claims(ABSENT[claim], `register with ${claim} null`, `\`${claim}\` is null`, by, { [claim]: null }),
    case: 'null',
    sweep: true,
  };
}
