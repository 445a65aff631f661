/** Refusals, which rules throw and the routes turn into answers. */

/** Why an address endpoint refuses. Statuses and texts are in the rule `addressErrors`. */
export type AddressErrorCode =
  | 'noToken'
  | 'badToken'
  | 'scopeTooNarrow'
  | 'rateExceeded'
  | 'malformedBody'
  | 'invalid'
  | 'notFound';

/** Why an OAuth endpoint refuses. Statuses, codes and texts are in the rule `oauthErrors`. */
export type OAuthErrorCode =
  | 'malformedBody'
  | 'missingCredentials'
  | 'invalidCredentials'
  | 'notAuthorised'
  | 'missingParameter'
  | 'unsupportedGrantType'
  | 'invalidGrant'
  | 'redirectMismatch'
  | 'invalidScope';

/** A request to an address endpoint that is not carried out. */
export class AddressRefusal extends Error {
  readonly code: AddressErrorCode;
  /** What exactly is wrong, for the `message` of the answer. */
  readonly detail: string | undefined;

  constructor(code: AddressErrorCode, detail?: string) {
    super(detail ?? code);
    this.code = code;
    this.detail = detail;
  }
}

/** A request to an OAuth endpoint that is not carried out. */
export class OAuthRefusal extends Error {
  readonly code: OAuthErrorCode;
  /** What exactly is wrong, for the `error_description` of the answer. */
  readonly detail: string | undefined;

  constructor(code: OAuthErrorCode, detail?: string) {
    super(detail ?? code);
    this.code = code;
    this.detail = detail;
  }
}
