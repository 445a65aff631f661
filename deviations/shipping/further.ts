/**
 * Further requirements that cannot hold on a deviation, by its id. They were added after it and are checked
 * elsewhere.
 */
export const FURTHER: Readonly<Record<string, readonly string[]>> = {
  'any-secret': [
    'TOKEN-ISSUE-FULL-WIDTH',
    'TOKEN-REFRESH-FULL-WIDTH',
    'TOKEN-REFRESH-NEAR-SECRET-401',
    'TOKEN-REFRESH-OTHER-CLIENT-SECRET-401',
  ],
  'client-known-by-its-secret': ['TOKEN-REFRESH-MISSING-CLIENT-ID-400'],
  'introspect-second-time-ends': ['TOKEN-INTROSPECT-REFRESH-HARMLESS'],
  'delete-lets-in-invented': ['ADDR-AUTH-BLANK-TOKEN'],
  'list-lets-in-invented': ['ADDR-AUTH-BLANK-TOKEN', 'TOKEN-CASE-REFUSED'],
  'last-page-echoed': ['ADDR-DELETE-GONE-LIST'],
  'missing-credentials-as-invalid': ['TOKEN-REFRESH-MISSING-CLIENT-ID-400'],
  'read-lets-in-invented': ['ADDR-AUTH-BLANK-TOKEN'],
  'update-lets-in-invented': ['ADDR-AUTH-BLANK-TOKEN'],
  'redirect-uri-ignored': ['TOKEN-REDIRECT-URI-OTHER-CLIENT'],
  'redirect-uri-of-any-client': ['TOKEN-REDIRECT-URI-OTHER-CLIENT'],
  'refresh-any-secret': [
    'TOKEN-REFRESH-FULL-WIDTH',
    'TOKEN-REFRESH-EMPTY-SECRET',
    'TOKEN-REFRESH-NEAR-SECRET-401',
    'TOKEN-REFRESH-OTHER-CLIENT-SECRET-401',
  ],
  'refresh-token-as-bearer': ['TOKEN-REFRESH-BEARER-LIFETIME'],
  'refresh-token-not-looked-up': ['TOKEN-REFRESH-ACCESS-TOKEN-REFUSED', 'TOKEN-REFRESH-ENDED-ACCESS'],
  'refused-with-a-token': [
    'TOKEN-ISSUE-FULL-WIDTH',
    'TOKEN-REFRESH-FULL-WIDTH',
    'TOKEN-ISSUE-NEAR-CLIENT-401',
    'TOKEN-REFRESH-NEAR-SECRET-401',
    'TOKEN-REFRESH-OTHER-CLIENT-SECRET-401',
    'TOKEN-REFRESH-UNKNOWN-CLIENT',
  ],
  'revoke-any-secret': [
    'TOKEN-REVOKE-FULL-WIDTH',
    'TOKEN-REVOKE-NEAR-SECRET-403',
    'TOKEN-REVOKE-OTHER-CLIENT-SECRET-403',
  ],
  'revoke-before-authentication': [
    'TOKEN-REVOKE-FULL-WIDTH',
    'TOKEN-REVOKE-EMPTY-SECRET',
    'TOKEN-REVOKE-NEAR-SECRET-403',
    'TOKEN-REVOKE-OTHER-CLIENT-SECRET-403',
  ],
  'revoke-credentials-401': ['TOKEN-REVOKE-NEAR-SECRET-403', 'TOKEN-REVOKE-OTHER-CLIENT-SECRET-403'],
  'secret-case': ['TOKEN-REFRESH-NEAR-SECRET-401'],
  'secret-cut-to-length': ['TOKEN-REFRESH-NEAR-SECRET-401'],
  'secret-empty-matches': ['TOKEN-REFRESH-EMPTY-SECRET'],
  'secret-first-16': ['TOKEN-REFRESH-NEAR-SECRET-401', 'TOKEN-REFRESH-OTHER-CLIENT-SECRET-401'],
  'secret-missing-is-public': ['TOKEN-ISSUE-NO-TEXT', 'TOKEN-REFRESH-EMPTY-SECRET'],
  'secret-normalised': ['TOKEN-REFRESH-FULL-WIDTH', 'TOKEN-REVOKE-FULL-WIDTH'],
  'secret-of-any-client': ['TOKEN-REFRESH-OTHER-CLIENT-SECRET-401'],
  'secret-prefix': ['TOKEN-REFRESH-NEAR-SECRET-401'],
  'unknown-client-registered': ['TOKEN-ISSUE-FULL-WIDTH', 'TOKEN-ISSUE-NEAR-CLIENT-401'],
};

/** The same for generated deviations, by the name of the kind of answer. */
export const FURTHER_ANSWERS: Readonly<Record<string, readonly string[]>> = {
  'token-missing-client-secret': ['TOKEN-ISSUE-NO-TEXT'],
  'token-missing-client-id': ['TOKEN-REFRESH-MISSING-CLIENT-ID-400', 'TOKEN-ISSUE-NO-TEXT'],
  'token-wrong-secret': ['TOKEN-ISSUE-FULL-WIDTH', 'TOKEN-REFRESH-FULL-WIDTH'],
  'token-refresh-wrong-secret': ['TOKEN-REFRESH-FULL-WIDTH'],
  'revoke-wrong-secret': ['TOKEN-REVOKE-FULL-WIDTH'],
  'token-empty-secret': ['TOKEN-REFRESH-EMPTY-SECRET'],
  'token-missing-both': ['TOKEN-ISSUE-NO-OBJECT', 'TOKEN-ISSUE-NO-OBJECT-4XX'],
  'token-near-secret': ['TOKEN-ISSUE-FULL-WIDTH', 'TOKEN-REFRESH-NEAR-SECRET-401'],
  'token-other-client-secret': ['TOKEN-REFRESH-OTHER-CLIENT-SECRET-401'],
  'token-unknown-client': [
    'TOKEN-ISSUE-FULL-WIDTH',
    'TOKEN-ISSUE-NEAR-CLIENT-401',
    'TOKEN-REFRESH-UNKNOWN-CLIENT',
  ],
};
