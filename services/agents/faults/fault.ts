import type { Body } from '../../../lib/http/body.ts';
import type { ErrorCode } from '../../../schemas/agents/index.ts';
import type { JsonObject } from '../idp/compact.ts';
import type { Reason } from '../judging/refusal.ts';
import type { FaultBuilder } from './fault-builder.ts';

/** A good registration with one thing changed, so that it has to be refused. */
export interface Fault {
  /** Id of the requirement that such a registration is refused. */
  id: string;
  /** Distinguishes the faults of one requirement. */
  case?: string;
  /** What the request does, in a few words for the report. */
  purpose: string;
  /** Completes "although …" in the message of a failure. */
  why: string;
  /** The codes with which it may be refused; absent where no code is required. */
  reason?: Reason;
  /** Id of the requirement that judges the code. */
  judgedBy?: string;
  /** Whether it can be sent without a valid assertion. */
  keyless?: boolean;
  /** Whether it is sent in the larger sweep only, and not in the default run. */
  sweep?: boolean;
  /**
   * Ids of faults whose requests contain this fault too: if all of those are refused for the right reason,
   * this one counts as refused. Its own request is sent only in the larger sweep, or when one of those was
   * not refused for the right reason.
   */
  shownBy?: string[];
  /**
   * Set where those make it likely only that this one is refused: they are good enough for what builds on it,
   * and its own check is skipped unless it was sent.
   */
  likely?: true;
  /**
   * Sent for a user who has registered before: a service may omit for such users a check that it makes for
   * new ones. The faults are divided between two known users, so that neither is refused too often.
   */
  known?: 'first' | 'recovery';
  /**
   * Sent for the user whose next good registration shows recovery after refusals. An attempt is reserved for
   * it.
   */
  recovery?: boolean;
  /**
   * An attempt is reserved for it. Together with the faults of `recovery`, these provide one refusal for each
   * code.
   */
  reserved?: boolean;
  /**
   * Set where a firewall in front of the service may refuse the request, in its own words. A code is judged
   * where the refusal has one.
   */
  mayBeBlocked?: true;
  /** Parameters that are added to the query of the address. */
  query?: Record<string, string>;
  /** The credential that is sent in `Authorization`; registrations have none otherwise. */
  bearer?(faultBuilder: FaultBuilder): Promise<string>;
  body(faultBuilder: FaultBuilder): Body | Promise<Body>;
  /**
   * Called after the fault was refused. Returns, in words, why that refusal proves nothing on this target;
   * `undefined` where it does prove something.
   */
  whyNothingShown?(faultBuilder: FaultBuilder): Promise<string | undefined>;
}

/** Returns the name of a fault, which is unique. */
export function nameOf(fault: Fault): string {
  return fault.case === undefined ? fault.id : `${fault.id}/${fault.case}`;
}

/** The codes that fit where a service may object to the form of the assertion or to its signature. */
export const EITHER = {
  reason: { codes: ['invalid_signature', 'invalid_assertion'] },
  judgedBy: 'AGENT-ERR-FITTING',
} as const;

/**
 * An assertion that is not a JWT, or has no claims, lacks everything at once: an allowed issuer, an audience,
 * an email. A refusal may name any of these, but it must not be `server_error`, since the service is not at
 * fault.
 */
export const ANY_FAULT = {
  reason: {
    codes: [
      'invalid_assertion',
      'invalid_request',
      'invalid_signature',
      'issuer_not_enabled',
      'audience_mismatch',
      'credential_expired',
      'missing_verified_email',
    ],
  },
  judgedBy: 'AGENT-ERR-FITTING',
} as const;

/**
 * Returns a fault of the larger sweep that is judged under the requirement of another fault.
 * @param name distinguishes it from the other faults of that requirement
 */
export function more(id: string, name: string, fault: Omit<Fault, 'id' | 'case' | 'sweep'>): Fault {
  return { ...fault, id, case: name, sweep: true };
}

/**
 * A string that a refusal may quote. JSON has to escape some of its characters, and others take more than one
 * byte, to catch a service that builds its JSON by hand.
 */
export const SIGNS = 'conformance "other" \\ \u00e9\u2116';

type Judged = Pick<Fault, 'reason' | 'judgedBy'>;

/**
 * Returns the codes with which a fault may be refused.
 * @param judgedBy id of the requirement that judges the code
 */
export const judged = (judgedBy: string, ...codes: ErrorCode[]): Judged => ({ reason: { codes }, judgedBy });

/**
 * Returns the codes of a fault that has a code of its own, and for which the general `invalid_assertion` is
 * right too.
 */
export const either = (code: ErrorCode): Judged => judged('AGENT-ERR-FITTING', code, 'invalid_assertion');

/** Returns a fault whose claims are changed in the same way in every run. */
export function claims(id: string, purpose: string, why: string, by: Judged, changed: JsonObject): Fault {
  return { id, purpose, why, ...by, body: (faultBuilder) => faultBuilder.changed({ claims: changed }) };
}

/** For each required claim, the requirement that an assertion without it is refused. */
const ABSENT = {
  aud: 'AGENT-AUD-ABSENT',
  iss: 'AGENT-ISS-ABSENT',
  sub: 'AGENT-SUB-ABSENT',
  email: 'AGENT-EMAIL-ABSENT',
  exp: 'AGENT-EXP-ABSENT',
  jti: 'AGENT-JTI-ABSENT',
};

/**
 * Returns the fault that a required claim is null, to catch a service that checks only whether it is present.
 */
export function nullClaim(claim: keyof typeof ABSENT, by: Judged): Fault {
  return {
    ...claims(ABSENT[claim], `register with ${claim} null`, `\`${claim}\` is null`, by, { [claim]: null }),
    case: 'null',
    sweep: true,
  };
}
