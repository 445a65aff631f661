/**
 * Obvious faults in many answers at once. They must be caught even though many checks are blocked by them.
 */

import { changeAnswers, withBody, withStatus } from '../kit/answers.ts';
import { sweeping } from '../kit/sweeping.ts';
import { breaking, type CacheDeviation, everyLimit, KINDS, limitId } from './kit.ts';

const ANYTHING = ['*'];
const ALWAYS = () => true;

const STORES = everyLimit((level, kind) => limitId(level, kind, 'SET-STORES'));
/** Below a limit of 0, every limit may be 0. */
const OF_ENTERPRISE = KINDS.map((kind) => limitId('enterprise', kind, 'SET-STORES'));
const READS = [
  ...everyLimit((level, kind) => limitId(level, kind, 'GET-STATUS')),
  'CACHE-ORG-USAGE-STATUS',
  'CACHE-BY-REPO-STATUS',
  'CACHE-REPO-USAGE-STATUS',
  'CACHE-LIST-STATUS',
];
const CHANGES = [
  ...everyLimit((level, kind) => limitId(level, kind, 'SET-STATUS')),
  'CACHE-DELETE-KEY-STATUS',
  'CACHE-DELETE-ID-STATUS',
];

/** Returns a JSON body with every member changed, at every depth. */
function eachMember(value: unknown, change: (name: string, value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => eachMember(item, change));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, change(name, eachMember(inner, change))]),
  );
}

/** Answers 500 to everything after this number of requests. */
const tiredAfter = (requests: number): NonNullable<CacheDeviation['wrap']> => {
  return (next) => {
    let served = 0;
    return async (request) => {
      served += 1;
      return served > requests
        ? Response.json({ message: 'too many handles' }, { status: 500 })
        : next(request);
    };
  };
};

/** Answers every setting with a status that is no refusal. */
const settingsAnswer = (id: string, status: number, sentence: string): CacheDeviation => ({
  id,
  breaks: everyLimit((level, kind) => limitId(level, kind, 'SET-STATUS')),
  entails: ANYTHING,
  sentence,
  wrap: (next) => async (request) =>
    request.method === 'PUT' ? Response.json({ message: 'no' }, { status }) : next(request),
});

/** Shows limits as another number than the one in force, which can then not be set as they are shown. */
const limitsShown = (
  id: string,
  sentence: string,
  change: (value: number) => number,
  breaks = STORES,
): CacheDeviation =>
  breaking(
    `limits-shown-${id}`,
    breaks,
    sentence,
    ({ serialiseLimit: { retention, storage } }) => ({
      serialiseLimit: {
        retention: (days) => retention(change(days)),
        storage: (gigabytes) => storage(change(gigabytes)),
      },
    }),
    ANYTHING,
  );

export const grossDeviations: CacheDeviation[] = [
  settingsAnswer('no-setting-works', 500, 'breaks down at every setting, and answers 500'),
  settingsAnswer('no-settings', 405, 'answers 405 to every setting, since it offers none'),
  ...(
    [
      ['no-value-accepted', 400, 'answers 400 to every setting, as if no value were permitted'],
      ['settings-forbidden', 403, 'answers 403 to every setting, whatever the token may do'],
      ['settings-not-found', 404, 'answers 404 to every setting, since it offers none'],
    ] as const
  ).map(
    ([id, status, sentence]): CacheDeviation => ({
      ...settingsAnswer(id, status, sentence),
      breaks: KINDS.map((kind) => limitId('repository', kind, 'SET-STATUS')),
    }),
  ),
  limitsShown(
    'in-thousands',
    'shows limits in a unit that is a thousand times smaller',
    (value) => value * 1000,
  ),
  limitsShown('as-zero', 'shows every limit as 0', () => 0, OF_ENTERPRISE),
  limitsShown('negative', 'shows limits as negative numbers', (value) => -value),
  limitsShown('rounded', 'shows limits rounded to tens', (value) => Math.round(value / 10) * 10),
  breaking(
    'no-setting-stored',
    STORES,
    'answers every setting with 204 and stores none',
    () => ({ storeLimit: () => {} }),
    ANYTHING,
  ),
  breaking(
    'no-lower-limit-stored',
    STORES,
    'stores a limit only where it is higher than the one in force',
    (original) => ({
      storeLimit: (change, operation, env) => {
        if (change.value > env.rules.limitInForce(change.scope, change.kind, env))
          original.storeLimit(change, operation, env);
      },
    }),
    ANYTHING,
  ),
  {
    id: 'every-success-is-accepted',
    breaks: [...READS, ...CHANGES],
    entails: ANYTHING,
    sentence: 'answers every success with 202',
    wrap: changeAnswers(ALWAYS, (response) => (response.ok ? withStatus(response, 202) : response)),
  },
  {
    id: 'every-list-is-an-array',
    breaks: ['CACHE-LIST-STATUS', 'CACHE-BY-REPO-STATUS'],
    entails: ANYTHING,
    sentence: 'answers every list with a bare array',
    wrap: changeAnswers(ALWAYS, (response) =>
      response.status === 200
        ? withBody(response, (body) => {
            const found = body as Record<string, unknown>;
            return found.actions_caches ?? found.repository_cache_usages ?? body;
          })
        : response,
    ),
  },
  {
    id: 'every-body-in-data',
    breaks: [
      'CACHE-RETENTION-FIELD',
      'CACHE-STORAGE-FIELD',
      'CACHE-LIST-CACHES-FIELD',
      'CACHE-REPO-USAGE-SIZE-FIELD',
    ],
    entails: ANYTHING,
    sentence: 'puts every body of a success into a member `data`',
    wrap: changeAnswers(ALWAYS, (response) =>
      response.status === 200 ? withBody(response, (body) => ({ data: body })) : response,
    ),
  },
  {
    id: 'every-number-is-text',
    breaks: ['CACHE-RETENTION-FIELD', 'CACHE-STORAGE-FIELD', 'CACHE-ENTRY-ID', 'CACHE-REPO-USAGE-SIZE-FIELD'],
    entails: ANYTHING,
    sentence: 'writes every number as text',
    wrap: changeAnswers(ALWAYS, (response) =>
      response.status === 200
        ? withBody(response, (body) =>
            eachMember(body, (_name, value) => (typeof value === 'number' ? String(value) : value)),
          )
        : response,
    ),
  },
  {
    id: 'no-deletion-carried-out',
    breaks: ['CACHE-DELETE-KEY-ALL', 'CACHE-DELETE-ID-GONE'],
    entails: ANYTHING,
    sentence: 'answers every deletion with success and deletes nothing',
    rules: () => ({ removeCaches: () => {} }),
  },
  ...[25, 200].map(
    (requests): CacheDeviation => ({
      id: `tired-after-${requests}`,
      breaks: ['CACHE-REPO-STORAGE-GET-STATUS', 'CACHE-ENT-STORAGE-GET-STATUS'],
      entails: ANYTHING,
      sentence: `answers everything with 500 after ${requests} requests`,
      wrap: tiredAfter(requests),
    }),
  ),
  ...sweeping({
    'all-refusals-500': ['CACHE-REPO-RETENTION-GET-REFUSAL', 'CACHE-STORAGE-SET-NO-OBJECT-STATUS'],
    'all-texts-html-escaped': ['CACHE-ENTRY-KEY-VALUE', 'CACHE-ENTRY-REF'],
    'all-null-left-out': ['CACHE-LIST-CACHES-FIELD', 'CACHE-LIST-TOTAL-FIELD'],
    'all-bodies-stale': ['CACHE-ORG-USAGE-SIZE-FIELD', 'CACHE-BY-REPO-TOTAL-FIELD'],
    'all-typed-html': ['CACHE-ADVISED-CONTENT-TYPE'],
    'all-lists-doubled': ['CACHE-LIST-PAGE', 'CACHE-LIST-PER-PAGE'],
    'every-id-another': ['CACHE-ENTRY-ID-VALUE'],
    'every-write-405': ['CACHE-REPO-STORAGE-SET-STATUS', 'CACHE-DELETE-ID-STATUS'],
    'every-get-404': ['CACHE-LIST-STATUS', 'CACHE-REPO-USAGE-STATUS'],
    'every-write-unstored': ['CACHE-REPO-RETENTION-SET-STORES'],
  }),
];
