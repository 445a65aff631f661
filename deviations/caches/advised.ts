/** Faults against general standards, about which the specification is silent. */
import { breaking, type CacheDeviation } from './kit.ts';

export const advisedDeviations: CacheDeviation[] = [
  breaking('content-type-text', 'CACHE-ADVISED-CONTENT-TYPE', 'declares JSON as plain text', () => ({
    contentType: 'text/plain',
  })),
  breaking('no-challenge', 'CACHE-ADVISED-WWW-AUTHENTICATE', 'answers 401 without a challenge', () => ({
    refusalHeaders: () => ({}),
  })),
  breaking(
    'scheme-in-one-case',
    'CACHE-ADVISED-SCHEME-CASE',
    'compares the scheme with regard to case',
    () => ({
      presentedToken: (authorization) =>
        authorization === undefined ? undefined : (/^Bearer (\S+)$/.exec(authorization)?.[1] ?? ''),
    }),
  ),
  {
    id: 'content-type-as-a-whole',
    breaks: ['CACHE-ADVISED-CONTENT-TYPE-PARAMETERS'],
    sentence: 'refuses a setting whose Content-Type has a parameter',
    wrap: (next) => async (request) =>
      request.method === 'PUT' && request.headers.get('content-type')?.includes(';')
        ? new Response(null, { status: 415 })
        : next(request),
  },
  breaking(
    'malformed-500',
    [
      'CACHE-ADVISED-MALFORMED-4XX',
      'CACHE-RETENTION-SET-NO-OBJECT-STATUS',
      'CACHE-STORAGE-SET-NO-OBJECT-STATUS',
    ],
    'answers 500 to a malformed setting',
    (original) => ({
      refusalStatus: (reason, operation) =>
        reason === 'malformed' ? 500 : original.refusalStatus(reason, operation),
    }),
    // The statuses in the table of section 7 are all 4xx.
    ['CACHE-*-SET-REFUSAL', 'CACHE-*-SET-NO-OBJECT-STATUS'],
  ),
  breaking(
    'link-to-the-same-page',
    'CACHE-ADVISED-LINK',
    'links every page to itself as the next one',
    (original) => ({
      linkHeader: (facts) =>
        original.linkHeader(facts) === undefined ? undefined : `<${facts.url.href}>; rel="next"`,
    }),
  ),
  breaking(
    'same-setting-refused',
    'CACHE-ADVISED-PUT-IDEMPOTENT',
    'refuses a setting that changes nothing',
    (original) => ({
      admitLimit: (change, operation, env) =>
        change.scope.level === 'repository' && change.scope.limits[change.kind] === change.value
          ? undefined
          : original.admitLimit(change, operation, env),
    }),
    ['*'],
  ),
];
