/** Deletions by key and reference (section 4, endpoint 17, query ref). */
import type { Cache, DeletionQuery } from '../../reference/caches/index.ts';
import { choosing, here } from './deleting-kit.ts';
import { breaking, type CacheDeviation } from './kit.ts';

const RESTRICTS = 'CACHE-DELETE-REF-RESTRICTS';
const OTHER_KEYS = 'CACHE-DELETE-REF-OTHER-KEYS';
const ANSWER = ['CACHE-DELETE-REF-ANSWER'];

/** Replaces the comparison of references, where one is given. */
const ref = (
  id: string,
  breaks: string,
  sentence: string,
  matches: (asked: string, ref: string) => boolean,
  entails: string[] = [],
): CacheDeviation =>
  breaking(
    `delete-ref-${id}`,
    breaks,
    sentence,
    () => ({ deletesRef: (asked, each) => !asked || matches(asked, each) }),
    entails,
  );

/** Replaces the choice of what to delete where at least one cache has the given key and reference. */
const taking = (
  id: string,
  sentence: string,
  choose: (right: Cache[], all: Cache[], query: Required<DeletionQuery>) => Cache[],
): CacheDeviation =>
  breaking(
    `delete-ref-${id}`,
    OTHER_KEYS,
    sentence,
    choosing((right, repository, { key = '', ref }, env) =>
      ref && right.length > 0 ? choose(right, here(repository, env), { key, ref }) : right,
    ),
    ANSWER,
  );

export const deletingByRefDeviations: CacheDeviation[] = [
  ref(
    'branches-only',
    'CACHE-DELETE-REF-MATCH',
    'does not find the caches of pull requests when a deletion gives a reference',
    (asked, each) => asked === each && each.startsWith('refs/heads/'),
  ),
  ref(
    'short',
    'CACHE-DELETE-REF-MATCH',
    'compares the branch name with the full reference when it deletes',
    (asked, each) => asked.replace(/^refs\/heads\//, '') === each,
    [RESTRICTS],
  ),
  breaking(
    'delete-ref-first-only',
    'CACHE-DELETE-REF-MATCH',
    'deletes the first cache with the key and the reference',
    choosing((right, _r, { ref }) => (ref ? right.slice(0, 1) : right)),
  ),
  ref('ignored', RESTRICTS, 'ignores the reference when it deletes', () => true, [
    ...ANSWER,
    'CACHE-DELETE-REF-UNKNOWN',
  ]),
  ref(
    'prefix',
    RESTRICTS,
    'deletes every reference that begins with the one given',
    (asked, each) => each.startsWith(asked),
    ANSWER,
  ),
  ref(
    'last-part',
    RESTRICTS,
    'compares only the last part of a reference when it deletes',
    (asked, each) => each.split('/').at(-1) === asked.split('/').at(-1),
    ANSWER,
  ),
  taking('or-key', 'deletes caches that have the key or the reference', (right, caches, { ref }) => [
    ...new Set([...right, ...caches.filter((cache) => cache.ref === ref)]),
  ]),
  taking(
    'replaces-key',
    'deletes by the reference alone when one is given with the key',
    (_right, caches, { ref }) => caches.filter((cache) => cache.ref === ref),
  ),
  taking(
    'key-prefix',
    'treats the key as a prefix when a reference is given with it',
    (_right, caches, { key, ref }) =>
      caches.filter((cache) => cache.ref === ref && cache.key.startsWith(key)),
  ),
  {
    id: 'delete-ref-answer-by-key',
    breaks: ['CACHE-DELETE-REF-ANSWER'],
    sentence: 'answers a deletion by key and reference with every cache that had the key',
    rules: (original) => {
      let had: Cache[] = [];
      return {
        cachesToDelete: (repository, query, env) => {
          had = query.ref ? original.cachesToDelete(repository, { key: query.key }, env) : [];
          const doomed = original.cachesToDelete(repository, query, env);
          if (doomed.length === 0) had = [];
          return doomed;
        },
        reportDeleted: (deleted) => (had.length > 0 ? had : deleted),
      };
    },
  },
  breaking(
    'delete-ref-unknown-falls-back',
    'CACHE-DELETE-REF-UNKNOWN',
    'deletes by the key alone when no cache has the reference',
    (original) => ({
      cachesToDelete: (repository, query, env) => {
        const doomed = original.cachesToDelete(repository, query, env);
        return doomed.length > 0 || !query.ref
          ? doomed
          : original.cachesToDelete(repository, { key: query.key }, env);
      },
    }),
  ),
];
