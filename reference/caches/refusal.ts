/** Why a request is refused. The rule `refusalStatus` says which status each reason has. */
export type Reason =
  | 'unauthenticated'
  | 'forbidden'
  | 'unknown'
  | 'malformed'
  | 'above-parent'
  | 'key-missing'
  | 'version';

const MESSAGES: Record<Reason, string> = {
  unauthenticated: 'a valid token is needed',
  forbidden: 'the token does not have the permission',
  unknown: 'there is nothing of this name',
  malformed: 'the body is not a limit',
  'above-parent': 'the limit is higher than that of the level above',
  'key-missing': 'key is required',
  version: 'this version of the API is not supported',
};

/** Thrown while a request is handled; becomes its answer. */
export class Refusal extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(MESSAGES[reason]);
    this.reason = reason;
  }
}
