/**
 * What the oauth-token suite says of each of the servers, and why that is right by specification 1.
 * Whatever is not named here passes (or is observed).
 */

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

const NO_CREATED_AT = 'section 2 lists `created_at` in the token response; RFC 6749 does not know it';
const NO_JSON = '4.7 lets the body be sent as JSON; the server takes forms only, as RFC 6749 has it';
const NO_DOOR = 'there is no address book behind these servers, so a token opens nothing';
const REDIRECT_URI_IGNORED =
  '4.7 wants redirect_uri to equal the stored one; RFC 6749 does not have it in this grant and the server ignores it';
const MISSING_IS_401 = '4.7 and 7 answer 400 to missing credentials; the server says 401 as for wrong ones';
const FIRST_REVOKE = '4.8 takes JSON, since nothing else is stated, and answers 200';
const SECONDS_LEFT =
  'section 2 says 7200; the server counts the whole seconds that are left, 7199 as soon as a millisecond has passed';
const NO_CHALLENGE = 'RFC 9110 wants WWW-Authenticate with a 401';

/** All that needs a token to open something. */
const BEHIND_THE_DOOR = [
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

const NO_ADDRESSES: Blocked = { why: NO_DOOR, ids: ['TOKEN-RATE-ACROSS-ENDPOINTS'] };

/** What is asked for both as a form and as JSON, where JSON gets no token. */
const ALSO_AS_JSON = [
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

const REVOCATION = [
  'TOKEN-REVOKE-AGAIN-200',
  'TOKEN-REVOKE-EMPTY-OBJECT',
  'TOKEN-REVOKE-EXPIRED',
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

const INTROSPECTION = [
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
const ONE_REFRESH_TOKEN = {
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

export const OIDC_PROVIDER: Expected = {
  failed: {
    'TOKEN-INTROSPECT-ANSWERS': '4.9 takes JSON, since nothing else is stated; the server takes forms only',
    'TOKEN-ISSUE-JSON': NO_JSON,
    'TOKEN-ISSUE-MISSING-CLIENT-SECRET-400': MISSING_IS_401,
    'TOKEN-OPENS-ADDRESS-BOOK': NO_DOOR,
    'TOKEN-REDIRECT-URI-EXACT': REDIRECT_URI_IGNORED,
    'TOKEN-REDIRECT-URI-OTHER': REDIRECT_URI_IGNORED,
    'TOKEN-REFRESH-JSON': NO_JSON,
    'TOKEN-REFRESH-MISSING-SECRET-400': MISSING_IS_401,
    'TOKEN-RESPONSE-CREATED-AT': NO_CREATED_AT,
    'TOKEN-RESPONSE-SCOPE': 'section 2 lists `scope`; the server leaves it out when none was asked for',
    'TOKEN-REVOKE-STATUS': `${FIRST_REVOKE}; the server takes forms only`,
  },
  warned: { 'TOKEN-401-CHALLENGE': NO_CHALLENGE },
  blocked: {
    'ADDR-CREATE-STATUS': NO_ADDRESSES,
    'TOKEN-INTROSPECT-ANSWERS': { why: 'it takes forms only', ids: INTROSPECTION },
    'TOKEN-ISSUE-JSON': {
      why: NO_JSON,
      ids: [
        ...ALSO_AS_JSON,
        'TOKEN-ISSUE-NEAR-SECRET-401',
        'TOKEN-ISSUE-OTHER-CLIENT-SECRET-401',
        'TOKEN-ISSUE-UNKNOWN-CLIENT-401',
        'TOKEN-ISSUE-WRONG-SECRET-401',
      ],
    },
    'TOKEN-OPENS-ADDRESS-BOOK': { why: NO_DOOR, ids: BEHIND_THE_DOOR },
    'TOKEN-REFRESH-JSON': {
      why: NO_JSON,
      ids: ['TOKEN-REFRESH-GARBAGE', 'TOKEN-REFRESH-MISSING-TOKEN', 'TOKEN-REFRESH-WRONG-SECRET-401'],
    },
    'TOKEN-RESPONSE-SCOPE': {
      why: 'there is no scope to look at',
      ids: ['TOKEN-RESPONSE-SCOPE-SEPARATOR'],
    },
    'TOKEN-REVOKE-STATUS': { why: 'it takes forms only', ids: REVOCATION },
    'TOKEN-REVOKE-WRONG-SECRET-403': {
      why: 'it refuses the JSON before it looks at the secret',
      ids: ['TOKEN-REVOKE-ERROR-OBJECT'],
    },
  },
  skipped: ONE_REFRESH_TOKEN,
};

export const JMONDI: Expected = {
  failed: {
    'TOKEN-ISSUE-MISSING-CLIENT-SECRET-400': MISSING_IS_401,
    'TOKEN-OPENS-ADDRESS-BOOK': NO_DOOR,
    'TOKEN-REDIRECT-URI-EXACT': REDIRECT_URI_IGNORED,
    'TOKEN-REDIRECT-URI-OTHER': REDIRECT_URI_IGNORED,
    'TOKEN-REFRESH-MISSING-SECRET-400': MISSING_IS_401,
    'TOKEN-RESPONSE-CREATED-AT': NO_CREATED_AT,
    'TOKEN-REVOKE-OTHER-CLIENT-403':
      '4.8 answers 403 to a client that is not authorised; the server never refuses',
    'TOKEN-REVOKE-UNKNOWN-CLIENT-403':
      '4.8 answers 403 to a client that is not authorised; the server never refuses',
    'TOKEN-REVOKE-WRONG-SECRET-403':
      '4.8 answers 403 to a client that is not authorised; the server never refuses',
  },
  warned: { 'TOKEN-401-CHALLENGE': NO_CHALLENGE },
  blocked: {
    'ADDR-CREATE-STATUS': NO_ADDRESSES,
    'TOKEN-OPENS-ADDRESS-BOOK': {
      why: NO_DOOR,
      ids: [
        ...BEHIND_THE_DOOR,
        'TOKEN-REVOKE-REQUIRES-CLIENT-ID',
        'TOKEN-REVOKE-REQUIRES-CLIENT-SECRET',
        'TOKEN-REVOKE-REQUIRES-TOKEN',
        'TOKEN-REVOKE-THEN-ISSUE',
      ],
    },
    'TOKEN-REVOKE-WRONG-SECRET-403': {
      why: 'without a 403 its body cannot be looked at',
      ids: ['TOKEN-ERROR-DESCRIPTION', 'TOKEN-ERROR-ERROR', 'TOKEN-REVOKE-ERROR-OBJECT'],
    },
  },
  skipped: {
    ...ONE_REFRESH_TOKEN,
    // Its clock is the machine's, and nobody waits two hours.
    'what is answered to the revocation of an expired token': ['TOKEN-REVOKE-EXPIRED'],
    'whether introspection tells an expired token': ['TOKEN-INTROSPECT-TELLS-EXPIRED'],
  },
  unsteady: { 'TOKEN-RESPONSE-EXPIRES-IN': SECONDS_LEFT },
};

const WRONG_IS_400 =
  '4.7 and 7 answer 401 to wrong credentials; the server says 400 unless they came by HTTP Basic';

export const NODE_OAUTH: Expected = {
  failed: {
    'TOKEN-INTROSPECT-ANSWERS': 'the package has no introspection',
    'TOKEN-ISSUE-JSON': NO_JSON,
    'TOKEN-ISSUE-NEAR-SECRET-401': WRONG_IS_400,
    'TOKEN-ISSUE-OTHER-CLIENT-SECRET-401': WRONG_IS_400,
    'TOKEN-ISSUE-UNKNOWN-CLIENT-401': WRONG_IS_400,
    'TOKEN-ISSUE-WRONG-SECRET-401': WRONG_IS_400,
    'TOKEN-OPENS-ADDRESS-BOOK': NO_DOOR,
    'TOKEN-REDIRECT-URI-EXACT': REDIRECT_URI_IGNORED,
    'TOKEN-REDIRECT-URI-OTHER': REDIRECT_URI_IGNORED,
    'TOKEN-REFRESH-JSON': NO_JSON,
    'TOKEN-REFRESH-WRONG-SECRET-401': WRONG_IS_400,
    'TOKEN-RESPONSE-CREATED-AT': NO_CREATED_AT,
    'TOKEN-REVOKE-STATUS': `${FIRST_REVOKE}; the package has no revocation`,
  },
  warned: {},
  blocked: {
    'ADDR-CREATE-STATUS': NO_ADDRESSES,
    'TOKEN-INTROSPECT-ANSWERS': {
      why: 'there is no introspection',
      ids: [...INTROSPECTION, 'TOKEN-INTROSPECT-FORM'],
    },
    'TOKEN-ISSUE-JSON': {
      why: NO_JSON,
      ids: [...ALSO_AS_JSON, 'TOKEN-ISSUE-MISSING-CLIENT-SECRET-400', 'TOKEN-RESPONSE-SCOPE'],
    },
    'TOKEN-ISSUE-WRONG-SECRET-401': { why: WRONG_IS_400, ids: ['TOKEN-401-CHALLENGE'] },
    'TOKEN-OPENS-ADDRESS-BOOK': { why: NO_DOOR, ids: BEHIND_THE_DOOR },
    'TOKEN-REFRESH-JSON': {
      why: NO_JSON,
      ids: ['TOKEN-REFRESH-GARBAGE', 'TOKEN-REFRESH-MISSING-SECRET-400', 'TOKEN-REFRESH-MISSING-TOKEN'],
    },
    'TOKEN-REVOKE-STATUS': { why: 'there is no revocation', ids: REVOCATION },
    'TOKEN-REVOKE-WRONG-SECRET-403': {
      why: 'there is no revocation',
      ids: ['TOKEN-REVOKE-ERROR-OBJECT'],
    },
  },
  skipped: ONE_REFRESH_TOKEN,
  unsteady: { 'TOKEN-RESPONSE-EXPIRES-IN': SECONDS_LEFT },
};
