/**
 * What the oauth-token suite says of each of the servers, and why that is right by specification 1.
 * Whatever is not named here passes (or is observed).
 */
import {
  ALSO_AS_JSON,
  BEHIND_OTHERS,
  BEHIND_THE_DOOR,
  type Expected,
  FIRST_REVOKE,
  INTROSPECTION,
  MISSING_IS_401,
  NO_ADDRESSES,
  NO_CHALLENGE,
  NO_CREATED_AT,
  NO_DOOR,
  NO_JSON,
  ONE_REFRESH_TOKEN,
  REDIRECT_URI_IGNORED,
  REVOCATION,
  SECONDS_LEFT,
} from './expected-parts.ts';

export const OIDC_PROVIDER: Expected = {
  failed: {
    'TOKEN-INTROSPECT-ANSWERS': '4.9 takes JSON, since nothing else is stated; the server takes forms only',
    'TOKEN-ISSUE-JSON': NO_JSON,
    'TOKEN-ISSUE-MISSING-CLIENT-SECRET-400': MISSING_IS_401,
    'TOKEN-OPENS-ADDRESS-BOOK': NO_DOOR,
    'TOKEN-REDIRECT-URI-OTHER': REDIRECT_URI_IGNORED,
    'TOKEN-REFRESH-JSON': NO_JSON,
    'TOKEN-REFRESH-MISSING-SECRET-400': MISSING_IS_401,
    'TOKEN-RESPONSE-CREATED-AT': NO_CREATED_AT,
    'TOKEN-RESPONSE-SCOPE': 'section 2 lists `scope`; the server leaves it out when none was asked for',
    'TOKEN-REVOKE-STATUS': `${FIRST_REVOKE}; the server takes forms only`,
  },
  warned: { 'TOKEN-401-CHALLENGE': NO_CHALLENGE },
  blocked: {
    ...BEHIND_OTHERS,
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
    'TOKEN-REDIRECT-URI-OTHER': REDIRECT_URI_IGNORED,
    'TOKEN-REFRESH-MISSING-SECRET-400': MISSING_IS_401,
    'TOKEN-RESPONSE-CREATED-AT': NO_CREATED_AT,
    'TOKEN-REVOKE-UNKNOWN-CLIENT-403':
      '4.8 answers 403 to a client that is not authorised; the server never refuses',
    'TOKEN-REVOKE-WRONG-SECRET-403':
      '4.8 answers 403 to a client that is not authorised; the server never refuses',
  },
  warned: { 'TOKEN-401-CHALLENGE': NO_CHALLENGE },
  blocked: {
    ...BEHIND_OTHERS,
    'ADDR-CREATE-STATUS': { why: NO_DOOR, ids: [...NO_ADDRESSES.ids, 'TOKEN-REVOKE-OTHER-CLIENT-403'] },
    'TOKEN-OPENS-ADDRESS-BOOK': {
      why: NO_DOOR,
      ids: [
        ...BEHIND_THE_DOOR,
        'TOKEN-INTROSPECT-TELLS-UNKNOWN',
        'TOKEN-REVOKE-OTHER-CLIENT',
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
    'TOKEN-REDIRECT-URI-OTHER': REDIRECT_URI_IGNORED,
    'TOKEN-REFRESH-JSON': NO_JSON,
    'TOKEN-REFRESH-WRONG-SECRET-401': WRONG_IS_400,
    'TOKEN-RESPONSE-CREATED-AT': NO_CREATED_AT,
    'TOKEN-REVOKE-STATUS': `${FIRST_REVOKE}; the package has no revocation`,
  },
  warned: {},
  blocked: {
    ...BEHIND_OTHERS,
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
