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
export const NO_DOOR = 'there is no address book behind these servers, so a token opens nothing';
export const REDIRECT_URI_IGNORED =
  '4.7 wants redirect_uri to equal the stored one; RFC 6749 does not have it in this grant and the server ignores it';
export const MISSING_IS_401 =
  '4.7 and 7 answer 400 to missing credentials; the server says 401 as for wrong ones';
export const FIRST_REVOKE = '4.8 takes JSON, since nothing else is stated, and answers 200';
export const SECONDS_LEFT =
  'section 2 says 7200; the server counts the whole seconds that are left, 7199 as soon as a millisecond has passed';
export const NO_CHALLENGE = 'RFC 9110 wants WWW-Authenticate with a 401';

/** All that needs a token to open something. */
export const BEHIND_THE_DOOR = [
  'TOKEN-ALTERED-REFUSED',
  'TOKEN-EARLIER-OTHER-CLIENT-SURVIVES',
  'TOKEN-EARLIER-SURVIVES',
  'TOKEN-EXPIRY',
  'TOKEN-EXPIRY-NOT-BY-ISSUE',
  'TOKEN-EXPIRY-NOT-SLIDING',
  'TOKEN-INTROSPECT-HARMLESS',
  'TOKEN-LIFETIME-HOLDS',
  'TOKEN-RATE-BURST',
  'TOKEN-RATE-DOCUMENTED-SERVED',
  'TOKEN-RATE-EXCEEDED',
  'TOKEN-RATE-LIMITED',
  'TOKEN-RATE-PER-TOKEN-OTHER-CLIENT',
  'TOKEN-RATE-PER-TOKEN-SAME-CLIENT',
  'TOKEN-RATE-RECOVERS',
  'TOKEN-REFRESH-LIFETIME-HOLDS',
  'TOKEN-REFRESH-NOT-BEARER',
  'TOKEN-REFRESH-OPENS',
  'TOKEN-REVOKE-ACCESS-ENDS',
  'TOKEN-REVOKE-AT-ONCE',
  'TOKEN-REVOKE-FORM',
  'TOKEN-REVOKE-HINT-ACCESS',
  'TOKEN-REVOKE-OTHER-CLIENT-SURVIVES',
  'TOKEN-REVOKE-OTHERS-SURVIVE',
  'TOKEN-REVOKE-SAME-CLIENT-SURVIVES',
  'TOKEN-REVOKE-WRONG-HINT',
  'TOKEN-REVOKE-WRONG-SECRET-SURVIVES',
];

/** What cannot be looked at more closely where its beginning is not there. */
export const BEHIND_OTHERS: Record<string, Blocked> = {
  'TOKEN-REDIRECT-URI-OTHER': { why: REDIRECT_URI_IGNORED, ids: ['TOKEN-REDIRECT-URI-EXACT'] },
  'TOKEN-RESPONSE-CREATED-AT': { why: NO_CREATED_AT, ids: ['TOKEN-RESPONSE-CREATED-AT-VALUE'] },
};

export const NO_ADDRESSES: Blocked = { why: NO_DOOR, ids: ['TOKEN-RATE-ACROSS-ENDPOINTS'] };

/** What is asked for both as a form and as JSON, where JSON gets no token. */
export const ALSO_AS_JSON = [
  'TOKEN-ERROR-DESCRIPTION',
  'TOKEN-ERROR-ERROR',
  'TOKEN-ISSUE-EMPTY-SECRET',
  'TOKEN-ISSUE-ERROR-OBJECT',
  'TOKEN-ISSUE-MISSING-BOTH-400',
  'TOKEN-ISSUE-MISSING-CLIENT-ID-400',
  'TOKEN-ISSUE-MISSING-GRANT-TYPE',
  'TOKEN-ISSUE-OBJECT',
  'TOKEN-ISSUE-UNKNOWN-GRANT-TYPE',
  'TOKEN-REDIRECT-URI-STORED',
  'TOKEN-RESPONSE-ACCESS-TOKEN',
  'TOKEN-RESPONSE-EXPIRES-IN',
  'TOKEN-RESPONSE-TOKEN-TYPE',
  'TOKEN-SCOPE-LIMITS',
  'TOKEN-SCOPE-SEVERAL',
  'TOKEN-WRONG-TYPES',
];

export const REVOCATION = [
  'TOKEN-REVOKE-AGAIN-200',
  'TOKEN-REVOKE-EMPTY-OBJECT',
  'TOKEN-REVOKE-EXPIRED',
  'TOKEN-REVOKE-OTHER-CLIENT',
  'TOKEN-REVOKE-OTHER-CLIENT-403',
  'TOKEN-REVOKE-REFUSAL',
  'TOKEN-REVOKE-REQUIRES-CLIENT-ID',
  'TOKEN-REVOKE-REQUIRES-CLIENT-SECRET',
  'TOKEN-REVOKE-REQUIRES-TOKEN',
  'TOKEN-REVOKE-THEN-ISSUE',
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
  'TOKEN-INTROSPECT-TELLS-EXPIRED',
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
    'TOKEN-REFRESH-CLIENT-BOUND',
    'TOKEN-REFRESH-LIFETIME',
    'TOKEN-REFRESH-OLD-ACCESS',
    'TOKEN-REFRESH-ROTATION',
    'TOKEN-REFRESH-SCOPE-KEPT',
    'TOKEN-REVOKE-ACCESS-ENDS-REFRESH',
    'TOKEN-REVOKE-HINT-REFRESH',
    'TOKEN-REVOKE-REFRESH-ENDS',
    'TOKEN-REVOKE-REFRESH-ENDS-ACCESS',
  ],
};
