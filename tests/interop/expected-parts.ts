/** What is expected of more than one server: reasons, and requirements that go together. */

/** Requirements that stay undecided because another one does not hold, and why that one does not. */
export interface Blocked {
  why: string;
  ids: string[];
}

export interface Expected {
  /** Required, and violated: by requirement, why. */
  failed: Record<string, string>;
  /** Advised, and not followed: by requirement, why. */
  warned: Record<string, string>;
  /** By the requirement that has to hold first. */
  blocked: Record<string, Blocked>;
  /** By the beginning of the reason. */
  skipped: Record<string, string[]>;
  /** Violated in some runs and not in others: by requirement, why. */
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

/** What needs a resource that takes tokens, and counts their requests. */
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

/** What needs two hours to pass, where introspection shows what tokens are worth: nobody waits that long. */
export const TWO_HOURS = {
  'needs 3600 s to pass': ['TOKEN-EXPIRY-NOT-BY-ISSUE', 'TOKEN-EXPIRY-NOT-SLIDING'],
  'needs 7140 s to pass': ['TOKEN-REFRESH-LIFETIME-HOLDS'],
  'needs 7170 s to pass': ['TOKEN-LIFETIME-HOLDS'],
  'needs 7230 s to pass': ['TOKEN-EXPIRY'],
  'needs 7260 s to pass': ['TOKEN-INTROSPECT-TELLS-EXPIRED', 'TOKEN-REVOKE-EXPIRED'],
};

/** All that needs a token to be presented to something, where there is no introspection either. */
export const NOTHING_TO_PRESENT_TO = {
  ...RESOURCE,
  [NO_RESOURCE]: [
    ...RESOURCE[NO_RESOURCE]!,
    'TOKEN-ALTERED-REFUSED',
    'TOKEN-BEARER-CREDENTIALS-REFUSED',
    'TOKEN-CASE-REFUSED',
    'TOKEN-FORGED-REFUSED',
    'TOKEN-REVOKE-EXACT-TOKEN',
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

/** What cannot be looked at more closely where its beginning is not there. */
export const BEHIND_OTHERS: Record<string, Blocked> = {
  'TOKEN-REDIRECT-URI-OTHER': { why: REDIRECT_URI_IGNORED, ids: ['TOKEN-REDIRECT-URI-EXACT'] },
  'TOKEN-RESPONSE-CREATED-AT': {
    why: NO_CREATED_AT,
    ids: ['TOKEN-RESPONSE-CREATED-AT-LATER', 'TOKEN-RESPONSE-CREATED-AT-VALUE'],
  },
};

/** What needs JSON to be taken at all; everything else is judged by the forms. */
export const JSON_ALONE = {
  'the token endpoint takes no JSON body': [
    'TOKEN-ISSUE-NO-OBJECT',
    'TOKEN-ISSUE-NO-OBJECT-4XX',
    'TOKEN-ISSUE-NO-TEXT',
    'TOKEN-WRONG-TYPES',
  ],
};

/** The bodies of the 403, where there is none; those of the token endpoint have the same members. */
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

/** Only one refresh token is to be had, which later runs need: nothing ends it. */
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
