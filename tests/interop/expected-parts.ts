/**
 * Expectations that several servers share: reasons, and requirements that have the same verdict for one
 * reason.
 */

/** Requirements that are blocked because another one does not hold, and why that one does not. */
export interface Blocked {
  why: string;
  ids: string[];
}

export interface Expected {
  /** Required requirements that are violated: the reason, by requirement. */
  failed: Record<string, string>;
  /** Advised requirements that are not followed: the reason, by requirement. */
  warned: Record<string, string>;
  /** Blocked requirements, by the requirement that has to hold first. */
  blocked: Record<string, Blocked>;
  /** Skipped requirements, by a part of the reason that the report gives. */
  skipped: Record<string, string[]>;
  /** Requirements that are violated in some runs and not in others: the reason, by requirement. */
  unsteady?: Record<string, string>;
}

export const NO_CREATED_AT = 'section 2 lists `created_at` in the token response; RFC 6749 does not know it';
export const NO_JSON = '4.7 lets the body be sent as JSON; the server takes forms only, as RFC 6749 has it';
export const REDIRECT_URI_IGNORED =
  '4.7 wants redirect_uri to equal the stored one; RFC 6749 does not have it in this grant and the server ignores it';
export const MISSING_IS_401 =
  '4.7 and 7 answer 400 to missing credentials; the server says 401 as for wrong ones';
export const FIRST_REVOKE = '4.8 takes JSON, since nothing else is stated, and answers 200';
export const SECONDS_LEFT =
  'section 2 says 7200; the server counts the whole seconds that are left, 7199 as soon as a millisecond has passed';
export const NO_CHALLENGE = 'RFC 9110 wants WWW-Authenticate with a 401';

export const REVOKE_403 =
  '4.8 answers 403 to a client that is not authorised; the server says 401, as it does everywhere';

const NO_RESOURCE = 'shipping.protectedResource`: there is no address book to present tokens to';

/** Requirements that need a resource which accepts tokens and counts the requests with each of them. */
export const RESOURCE = {
  [NO_RESOURCE]: [
    'TOKEN-OPENS-ADDRESS-BOOK',
    'TOKEN-RATE-BURST',
    'TOKEN-RATE-DOCUMENTED-SERVED',
    'TOKEN-RATE-EXCEEDED',
    'TOKEN-RATE-LIMITED',
    'TOKEN-RATE-PER-TOKEN-OTHER-CLIENT',
    'TOKEN-RATE-PER-TOKEN-SAME-CLIENT',
    'TOKEN-RATE-RECOVERS',
    'TOKEN-REFRESH-BEARER-LIFETIME',
    'TOKEN-REFRESH-NOT-BEARER',
  ],
  'the target has no address book': ['TOKEN-RATE-ACROSS-ENDPOINTS', 'TOKEN-RATE-REFUSED-NOT-DONE'],
};

/**
 * Requirements that need an hour or two to pass, where introspection shows whether tokens are valid: the run
 * does not wait so long.
 */
export const TWO_HOURS = {
  'needs 3600 s to pass': ['TOKEN-EXPIRY-NOT-BY-ISSUE', 'TOKEN-EXPIRY-NOT-SLIDING'],
  'needs 7140 s to pass': ['TOKEN-REFRESH-LIFETIME-HOLDS'],
  'needs 7170 s to pass': ['TOKEN-INTROSPECT-TELLS-EXPIRED', 'TOKEN-LIFETIME-HOLDS'],
  'needs 7530 s to pass': ['TOKEN-EXPIRY', 'TOKEN-REVOKE-EXPIRED'],
};

/**
 * All requirements that need a token to be presented to something, where there is no introspection either.
 */
export const NOTHING_TO_PRESENT_TO = {
  ...RESOURCE,
  [NO_RESOURCE]: [
    ...RESOURCE[NO_RESOURCE]!,
    'TOKEN-ALTERED-REFUSED',
    'TOKEN-BEARER-CREDENTIALS-REFUSED',
    'TOKEN-CASE-REFUSED',
    'TOKEN-FORGED-REFUSED',
    'TOKEN-REVOKE-REMEMBERED',
    'TOKEN-REVOKE-THEN-ISSUE',
    'TOKEN-EARLIER-OTHER-CLIENT-SURVIVES',
    'TOKEN-EARLIER-SURVIVES',
    'TOKEN-EXPIRY',
    'TOKEN-EXPIRY-NOT-BY-ISSUE',
    'TOKEN-EXPIRY-NOT-SLIDING',
    'TOKEN-INTROSPECT-HARMLESS',
    'TOKEN-LIFETIME-HOLDS',
    'TOKEN-REFRESH-LIFETIME-HOLDS',
    'TOKEN-REFRESH-OPENS',
    'TOKEN-REVOKE-ACCESS-ENDS',
    'TOKEN-REVOKE-AT-ONCE',
    'TOKEN-REVOKE-FORM',
    'TOKEN-REVOKE-HINT-ACCESS',
    'TOKEN-REVOKE-OTHER-CLIENT-SURVIVES',
    'TOKEN-REVOKE-OTHERS-SURVIVE',
    'TOKEN-REVOKE-SAME-CLIENT-SURVIVES',
    'TOKEN-REVOKE-WRONG-HINT',
  ],
};

/** Details that cannot be examined where the requirement that they belong to does not hold. */
export const BEHIND_OTHERS: Record<string, Blocked> = {
  'TOKEN-REDIRECT-URI-OTHER': { why: REDIRECT_URI_IGNORED, ids: ['TOKEN-REDIRECT-URI-EXACT'] },
  'TOKEN-RESPONSE-CREATED-AT': {
    why: NO_CREATED_AT,
    ids: ['TOKEN-RESPONSE-CREATED-AT-LATER', 'TOKEN-RESPONSE-CREATED-AT-VALUE'],
  },
};

/** Requirements that need JSON to be accepted at all; all others are judged with forms. */
export const JSON_ALONE = {
  'the token endpoint takes no JSON body': [
    'TOKEN-ISSUE-NO-OBJECT',
    'TOKEN-ISSUE-NO-OBJECT-4XX',
    'TOKEN-ISSUE-NO-TEXT',
    'TOKEN-WRONG-TYPES',
  ],
};

/**
 * Requirements about the body of a 403, for servers that never answer 403; those of the token endpoint have
 * the same members.
 */
export const ERROR_OF_REVOKE = ['TOKEN-ERROR-DESCRIPTION', 'TOKEN-ERROR-ERROR', 'TOKEN-REVOKE-ERROR-OBJECT'];

export const REVOCATION = [
  'TOKEN-CLIENT-ERRORS-4XX',
  'TOKEN-REVOKE-EMPTY-SECRET',
  'TOKEN-REVOKE-FULL-WIDTH',
  'TOKEN-REVOKE-WRONG-SECRET-SURVIVES',
  'TOKEN-REVOKE-NEAR-SECRET-403',
  'TOKEN-REVOKE-NO-5XX',
  'TOKEN-REVOKE-NO-TEXT',
  'TOKEN-REVOKE-OTHER-CLIENT-SECRET-403',
  'TOKEN-REVOKE-AGAIN-200',
  'TOKEN-REVOKE-EMPTY-OBJECT',
  'TOKEN-REVOKE-EXACT-TOKEN',
  'TOKEN-REVOKE-EXPIRED',
  'TOKEN-REVOKE-OTHER-CLIENT',
  'TOKEN-REVOKE-OTHER-CLIENT-403',
  'TOKEN-REVOKE-REFUSAL',
  'TOKEN-REVOKE-REQUIRES-CLIENT-ID',
  'TOKEN-REVOKE-REQUIRES-CLIENT-SECRET',
  'TOKEN-REVOKE-REQUIRES-TOKEN',
  'TOKEN-REVOKE-UNKNOWN-200',
  'TOKEN-REVOKE-UNKNOWN-CLIENT-403',
  'TOKEN-REVOKE-UNKNOWN-HINT',
  'TOKEN-REVOKE-WRONG-SECRET-403',
];

export const INTROSPECTION = [
  'TOKEN-INTROSPECT-ACTIVE',
  'TOKEN-INTROSPECT-BODY',
  'TOKEN-INTROSPECT-HINT-ACCESS',
  'TOKEN-INTROSPECT-HINT-REFRESH',
  'TOKEN-INTROSPECT-NO-CREDENTIALS',
  'TOKEN-INTROSPECT-OTHER-CLIENT',
  'TOKEN-INTROSPECT-REFRESH-TELLS-UNKNOWN',
  'TOKEN-INTROSPECT-REQUIRED-PARAMETERS',
  'TOKEN-INTROSPECT-TELLS-ALTERED',
  'TOKEN-INTROSPECT-TELLS-EXPIRED',
  'TOKEN-INTROSPECT-TELLS-FORGED',
  'TOKEN-INTROSPECT-TELLS-REVOKED',
  'TOKEN-INTROSPECT-TELLS-UNKNOWN',
  'TOKEN-INTROSPECT-UNKNOWN-HINT',
  'TOKEN-INTROSPECT-WRONG-HINT',
  'TOKEN-INTROSPECT-WRONG-SECRET',
  'TOKEN-OAUTH-BEARER',
];

/** There is only one refresh token, which later runs need, so the checks that would end it are skipped. */
export const ONE_REFRESH_TOKEN = {
  'token responses of this target carry no refresh token': [
    'TOKEN-INTROSPECT-REFRESH-TELLS-REVOKED',
    'TOKEN-REFRESH-ACCESS-TOKEN-REFUSED',
    'TOKEN-REFRESH-CLIENT-BOUND',
    'TOKEN-REFRESH-ENDED-ACCESS',
    'TOKEN-REFRESH-LIFETIME',
    'TOKEN-REFRESH-OLD-ACCESS',
    'TOKEN-REFRESH-ROTATION',
    'TOKEN-REFRESH-SCOPE-KEPT',
    'TOKEN-REVOKE-ACCESS-ENDS-REFRESH',
    'TOKEN-REVOKE-HINT-REFRESH',
    'TOKEN-REVOKE-REFRESH-ENDS',
    'TOKEN-REVOKE-REFRESH-ENDS-ACCESS',
  ],
  'shipping.secondClient.redirectUri` to run this check': ['TOKEN-REDIRECT-URI-OTHER-CLIENT'],
};
