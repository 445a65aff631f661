/** Deleting one cache by its id (section 4, endpoint 18). */
import type { Cache, CacheRules, Env, Repository } from '../../reference/caches/index.ts';
import { changeKind } from '../kit/answers.ts';
import { all, here } from './deleting-kit.ts';
import { breaking, type CacheDeviation, type Changed, withContent } from './kit.ts';
import { cachesSurface } from './surface.ts';

/**
 * Replaces the lookup of a cache by id where the repository has none with that id. `find` gets as `elsewhere`
 * the cache of another repository that has it.
 */
const finding = (
  id: string,
  breaks: 'REPO' | 'UNKNOWN',
  sentence: string,
  find: (repository: Repository, elsewhere: Cache | undefined, env: Env) => Cache | undefined,
  entails: string[] = [],
): CacheDeviation =>
  breaking(
    `delete-id-${id}`,
    `CACHE-DELETE-ID-${breaks}`,
    sentence,
    (original) => ({
      cacheById: (repository, asked, env) =>
        original.cacheById(repository, asked, env) ??
        find(
          repository,
          all(env).find((cache) => String(cache.id) === asked),
          env,
        ),
    }),
    entails,
  );

/** Removes other caches than the requested one. */
const removing =
  (remove: (caches: Cache[], env: Env) => Cache[]) =>
  (original: CacheRules): Changed => ({
    removeCaches: (caches, why, env) =>
      original.removeCaches(why === 'delete-by-id' ? remove(caches, env) : caches, why, env),
  });

/** Returns all caches that resemble one of these and are in the same repository. */
const alike = (caches: Cache[], env: Env, same: (each: Cache, cache: Cache) => boolean): Cache[] =>
  all(env).filter((each) =>
    caches.some((cache) => each.repository === cache.repository && same(each, cache)),
  );

const deletion = cachesSurface.answers.find(({ name }) => name === 'delete-by-id')!;
const NOT_GONE = ['CACHE-PERM-DELETE-CLASSIC', 'CACHE-PERM-DELETE-FINE'];

export const deletingByIdDeviations: CacheDeviation[] = [
  ...['{}', 'null', '{"id":1}'].map(
    (text): CacheDeviation => ({
      id: `delete-id-body-${text.length}`,
      breaks: ['CACHE-DELETE-ID-NO-CONTENT'],
      sentence: `sends ${text} along with 204 to a deletion by id`,
      wrap: changeKind(deletion, (response) => withContent(response, text)),
    }),
  ),
  breaking(
    'delete-id-claims-only',
    'CACHE-DELETE-ID-GONE',
    'answers 204 to a deletion by id and deletes nothing',
    removing(() => []),
    NOT_GONE,
  ),
  {
    id: 'delete-id-later',
    breaks: ['CACHE-DELETE-ID-GONE'],
    entails: [...NOT_GONE, 'CACHE-DELETE-ID-ONLY', 'CACHE-CASE-OWNER-DELETE-ID', 'CACHE-CASE-REPO-DELETE-ID'],
    sentence: 'carries out a deletion by id only when the next one arrives',
    rules: (original) => {
      let waiting: Cache[] = [];
      return {
        removeCaches: (caches, why, env) => {
          if (why !== 'delete-by-id') return original.removeCaches(caches, why, env);
          original.removeCaches(waiting, why, env);
          waiting = caches;
        },
      };
    },
  },
  breaking(
    'delete-id-takes-key',
    'CACHE-DELETE-ID-ONLY',
    'deletes every cache with the key of the one that the id names',
    removing((caches, env) => alike(caches, env, (a, b) => a.key === b.key)),
  ),
  breaking(
    'delete-id-takes-key-and-ref',
    'CACHE-DELETE-ID-ONLY',
    'deletes every cache with the key and reference of the one that the id names',
    removing((caches, env) => alike(caches, env, (a, b) => a.key === b.key && a.ref === b.ref)),
  ),
  breaking(
    'delete-id-takes-next',
    'CACHE-DELETE-ID-ONLY',
    'deletes the next cache along with the one that the id names',
    removing((caches, env) => [...caches, ...alike(caches, env, (next, cache) => next.id === cache.id + 1)]),
    ['CACHE-AUTH-DELETE-*', 'CACHE-PERM-DELETE-*', 'CACHE-DELETE-*', 'CACHE-ANON-DELETE-PUBLIC'],
  ),
  finding(
    'any-repository',
    'REPO',
    "deletes another repository's cache by its id",
    (_repository, elsewhere) => elsewhere,
  ),
  finding(
    'same-owner',
    'REPO',
    'deletes a cache of another repository of the owner by its id',
    ({ owner }, elsewhere) => (elsewhere?.repository.owner === owner ? elsewhere : undefined),
  ),
  ...(
    [
      ['last', 'newest', -1],
      ['first', 'oldest', 0],
    ] as const
  ).map(([id, which, at]) =>
    finding(
      `unknown-takes-${id}`,
      'UNKNOWN',
      `deletes the ${which} cache when no cache of any repository has the id`,
      (repository, elsewhere, env) => (elsewhere ? undefined : here(repository, env).at(at)),
      ['CACHE-DELETE-*'],
    ),
  ),
];
