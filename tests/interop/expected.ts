/**
 * The verdicts of the oauth-token suite on each of the servers, and why specification 1 makes them right.
 * Whatever is not named here passes or is observed.
 */
import {
  BEHIND_OTHERS,
  ERROR_OF_REVOKE,
  type Expected,
  FIRST_REVOKE,
  INTROSPECTION,
  JSON_ALONE,
  MISSING_IS_401,
  NO_CHALLENGE,
  NO_CREATED_AT,
  NO_JSON,
  NOTHING_TO_PRESENT_TO,
  ONE_REFRESH_TOKEN,
  REDIRECT_URI_IGNORED,
  RESOURCE,
  REVOCATION,
  REVOKE_403,
  SECONDS_LEFT,
  TWO_HOURS,
} from './expected-parts.ts';

export const OIDC_PROVIDER: Expected = {
  failed: {
    'TOKEN-INTROSPECT-ANSWERS': '4.9 takes JSON, since nothing else is stated; the server takes forms only',
    'TOKEN-ISSUE-JSON': NO_JSON,
    'TOKEN-ISSUE-MISSING-CLIENT-SECRET-400': MISSING_IS_401,
    'TOKEN-REDIRECT-URI-OTHER': REDIRECT_URI_IGNORED,
    'TOKEN-REFRESH-JSON': NO_JSON,
    'TOKEN-REFRESH-MISSING-SECRET-400': MISSING_IS_401,
    'TOKEN-RESPONSE-CREATED-AT': NO_CREATED_AT,
    'TOKEN-RESPONSE-SCOPE': 'section 2 lists `scope`; the server leaves it out when none was asked for',
    'TOKEN-REVOKE-EMPTY-OBJECT':
      '4.8 answers an empty JSON object; the server answers nothing, as RFC 7009 lets it',
    'TOKEN-REVOKE-NEAR-SECRET-403': REVOKE_403,
    'TOKEN-REVOKE-OTHER-CLIENT-SECRET-403': REVOKE_403,
    'TOKEN-REVOKE-STATUS': `${FIRST_REVOKE}; the server takes forms only`,
    'TOKEN-REVOKE-UNKNOWN-CLIENT-403': REVOKE_403,
    'TOKEN-REVOKE-WRONG-SECRET-403': REVOKE_403,
  },
  warned: { 'TOKEN-401-CHALLENGE': NO_CHALLENGE },
  blocked: {
    ...BEHIND_OTHERS,
    'TOKEN-RESPONSE-SCOPE': {
      why: 'there is no scope to look at',
      ids: ['TOKEN-RESPONSE-SCOPE-SEPARATOR'],
    },
    'TOKEN-REVOKE-WRONG-SECRET-403': { why: REVOKE_403, ids: ERROR_OF_REVOKE },
  },
  skipped: {
    ...ONE_REFRESH_TOKEN,
    ...JSON_ALONE,
    'revocations are taken as forms only': ['TOKEN-REVOKE-NO-TEXT'],
    ...RESOURCE,
    ...TWO_HOURS,
    'the target has no address book': [
      'TOKEN-RATE-ACROSS-ENDPOINTS',
      'TOKEN-RATE-REFUSED-NOT-DONE',
      'TOKEN-REVOKE-OTHER-CLIENT-403',
    ],
    'a token of this target carries a single scope': ['TOKEN-SCOPE-SEVERAL'],
  },
};

const NEVER_REFUSES = '4.8 refuses clients that are not authorised; the server never refuses a revocation';

export const JMONDI: Expected = {
  failed: {
    'TOKEN-ISSUE-MISSING-CLIENT-SECRET-400': MISSING_IS_401,
    'TOKEN-REDIRECT-URI-OTHER': REDIRECT_URI_IGNORED,
    'TOKEN-REFRESH-MISSING-SECRET-400': MISSING_IS_401,
    'TOKEN-RESPONSE-CREATED-AT': NO_CREATED_AT,
    ...Object.fromEntries(
      [
        'TOKEN-REVOKE-EMPTY-SECRET',
        'TOKEN-REVOKE-FULL-WIDTH',
        'TOKEN-REVOKE-NEAR-SECRET-403',
        'TOKEN-REVOKE-NO-TEXT',
        'TOKEN-REVOKE-OTHER-CLIENT-SECRET-403',
        'TOKEN-REVOKE-REQUIRES-CLIENT-ID',
        'TOKEN-REVOKE-REQUIRES-CLIENT-SECRET',
        'TOKEN-REVOKE-REQUIRES-TOKEN',
        'TOKEN-REVOKE-UNKNOWN-CLIENT-403',
        'TOKEN-REVOKE-WRONG-SECRET-403',
      ].map((id) => [id, NEVER_REFUSES]),
    ),
  },
  warned: {
    'TOKEN-401-CHALLENGE': NO_CHALLENGE,
    'TOKEN-CLIENT-ERRORS-4XX': 'broken JSON at the revoke endpoint is answered 500',
  },
  blocked: {
    ...BEHIND_OTHERS,
    'TOKEN-REVOKE-WRONG-SECRET-403': { why: NEVER_REFUSES, ids: ERROR_OF_REVOKE },
  },
  skipped: {
    ...ONE_REFRESH_TOKEN,
    ...RESOURCE,
    ...TWO_HOURS,
    'the target has no address book': [
      'TOKEN-RATE-ACROSS-ENDPOINTS',
      'TOKEN-RATE-REFUSED-NOT-DONE',
      'TOKEN-REVOKE-OTHER-CLIENT-403',
    ],
  },
  unsteady: { 'TOKEN-RESPONSE-EXPIRES-IN': SECONDS_LEFT },
};

const WRONG_IS_400 =
  '4.7 and 7 answer 401 to wrong credentials; the server says 400 unless they came by HTTP Basic';

export const NODE_OAUTH: Expected = {
  failed: {
    'TOKEN-INTROSPECT-ANSWERS': 'the package has no introspection',
    'TOKEN-ISSUE-JSON': NO_JSON,
    'TOKEN-ISSUE-NEAR-CLIENT-401': WRONG_IS_400,
    'TOKEN-ISSUE-NEAR-SECRET-401': WRONG_IS_400,
    'TOKEN-ISSUE-OTHER-CLIENT-SECRET-401': WRONG_IS_400,
    'TOKEN-ISSUE-UNKNOWN-CLIENT-401': WRONG_IS_400,
    'TOKEN-ISSUE-WRONG-SECRET-401': WRONG_IS_400,
    'TOKEN-REDIRECT-URI-OTHER': REDIRECT_URI_IGNORED,
    'TOKEN-REFRESH-JSON': NO_JSON,
    'TOKEN-REFRESH-NEAR-SECRET-401': WRONG_IS_400,
    'TOKEN-REFRESH-OTHER-CLIENT-SECRET-401': WRONG_IS_400,
    'TOKEN-REFRESH-WRONG-SECRET-401': WRONG_IS_400,
    'TOKEN-RESPONSE-CREATED-AT': NO_CREATED_AT,
    'TOKEN-REVOKE-STATUS': `${FIRST_REVOKE}; the package has no revocation`,
  },
  warned: {},
  blocked: {
    ...BEHIND_OTHERS,
    'TOKEN-INTROSPECT-ANSWERS': {
      why: 'there is no introspection',
      ids: [...INTROSPECTION, 'TOKEN-INTROSPECT-FORM'],
    },
    'TOKEN-ISSUE-WRONG-SECRET-401': { why: WRONG_IS_400, ids: ['TOKEN-401-CHALLENGE'] },
    'TOKEN-REVOKE-STATUS': { why: 'there is no revocation', ids: REVOCATION },
    'TOKEN-REVOKE-WRONG-SECRET-403': {
      why: 'there is no revocation',
      ids: ERROR_OF_REVOKE,
    },
  },
  skipped: { ...ONE_REFRESH_TOKEN, ...JSON_ALONE, ...NOTHING_TO_PRESENT_TO },
  unsteady: { 'TOKEN-RESPONSE-EXPIRES-IN': SECONDS_LEFT },
};
