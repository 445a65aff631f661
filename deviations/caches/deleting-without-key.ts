/** Deletions without a key, and of a key that no cache has (section 4, endpoint 17). */
import type { Cache, CacheRules, DeletionQuery, Env, Repository } from '../../reference/caches/index.ts';
import { all, choosing, here } from './deleting-kit.ts';
import { breaking, type CacheDeviation, type Changed } from './kit.ts';

type Choose = (repository: Repository, query: DeletionQuery, env: Env) => Cache[];
type Keyless = (query: DeletionQuery) => boolean;

/** Carries out deletions without a key for which `when` holds; `choose` says what they delete. */
const keyless =
  (choose: Choose, when: Keyless) =>
  (original: CacheRules): Changed => ({
    hasKey: (query) => original.hasKey(query) || when(query),
    cachesToDelete: (repository, query, env) =>
      original.hasKey(query)
        ? original.cachesToDelete(repository, query, env)
        : choose(repository, query, env),
  });
const isAbsent: Keyless = ({ key, ref }) => key === undefined && ref === undefined;
const isEmpty: Keyless = ({ key }) => key === '';
const isAlone: Keyless = ({ key, ref }) => key === undefined && ref !== undefined;
const everything: Choose = (repository, _query, env) => here(repository, env);

const withoutKey: CacheDeviation[] = [
  breaking(
    'delete-without-key-all',
    ['CACHE-DELETE-KEY-REQUIRED', 'CACHE-DELETE-KEY-REQUIRED-REFUSED'],
    'empties the repository when no key is given',
    keyless(everything, isAbsent),
  ),
  breaking(
    'delete-without-key-last',
    ['CACHE-DELETE-KEY-REQUIRED', 'CACHE-DELETE-KEY-REQUIRED-REFUSED'],
    'deletes the newest cache when no key is given',
    keyless((repository, _q, env) => here(repository, env).slice(-1), isAbsent),
  ),
  {
    id: 'delete-without-key-all-though-refused',
    breaks: ['CACHE-DELETE-KEY-REQUIRED'],
    sentence: 'empties the repository when no key is given, and answers 400',
    rules: (original) => ({
      hasKey: (query) => original.hasKey(query) || isAbsent(query),
      cachesToDelete: (repository, query, env) => {
        if (original.hasKey(query)) return original.cachesToDelete(repository, query, env);
        env.state.caches = all(env).filter((cache) => cache.repository !== repository);
        return original.cacheById(repository, '', env) as never;
      },
    }),
    wrap: (next) => async (request) => {
      const response = await next(request);
      return response.status === 500
        ? Response.json({ message: 'key is required' }, { status: 400 })
        : response;
    },
  },
  breaking(
    'delete-without-key-accepted',
    'CACHE-DELETE-KEY-REQUIRED-REFUSED',
    'answers a deletion without a key with an empty list',
    keyless(() => [], isAbsent),
  ),
  breaking(
    'delete-empty-key-all',
    'CACHE-DELETE-KEY-EMPTY',
    'empties the repository when the key is empty',
    keyless(everything, isEmpty),
  ),
  breaking(
    'delete-empty-key-prefix',
    'CACHE-DELETE-KEY-EMPTY',
    'treats an empty key as a prefix of every key',
    keyless(
      (repository, { ref }, env) => here(repository, env).filter((cache) => !ref || cache.ref === ref),
      isEmpty,
    ),
  ),
  breaking(
    'delete-ref-alone',
    'CACHE-DELETE-REF-ALONE',
    'deletes all caches of a reference when no key is given with it',
    keyless(
      (repository, { ref }, env) => here(repository, env).filter((cache) => cache.ref === ref),
      isAlone,
    ),
  ),
  breaking(
    'delete-ref-alone-all',
    'CACHE-DELETE-REF-ALONE',
    'empties the repository when a reference and no key is given',
    keyless(everything, isAlone),
  ),
];

/** Replaces the choice of what to delete where no cache has the given key and no reference is given. */
const fallingBack = (
  choose: (repository: Repository, query: DeletionQuery, env: Env, none: Cache[]) => Cache[],
): ReturnType<typeof choosing> =>
  choosing((right, repository, query, env) =>
    right.length > 0 || query.ref ? right : choose(repository, query, env, right),
  );

const unknownKey: CacheDeviation[] = [
  breaking(
    'delete-unknown-key-falls-back',
    'CACHE-DELETE-KEY-UNKNOWN',
    'deletes by a prefix of the key when no cache has the key',
    fallingBack((repository, { key = '' }, env) =>
      here(repository, env).filter((cache) => cache.key.startsWith(key)),
    ),
    ['CACHE-DELETE-KEY-AGAIN'],
  ),
  breaking(
    'delete-unknown-key-takes-last',
    'CACHE-DELETE-KEY-UNKNOWN',
    'deletes the newest cache when no cache has the key',
    fallingBack((repository, _query, env) => here(repository, env).slice(-1)),
    ['CACHE-DELETE-KEY-AGAIN', 'CACHE-AUTH-DELETE-*'],
  ),
  breaking(
    'delete-again-answers-the-same',
    'CACHE-DELETE-KEY-AGAIN',
    'answers the second deletion of a key with the caches of the first one',
    (original) => {
      const before = new Map<string, Cache[]>();
      return {
        reportDeleted: (deleted, repository, env) => {
          const [first] = deleted;
          if (first) before.set(`${repository.owner}/${repository.name} ${first.key}`, deleted);
          return original.reportDeleted(deleted, repository, env);
        },
        ...fallingBack(
          ({ owner, name }, { key }, _env, none) => before.get(`${owner}/${name} ${key}`) ?? none,
        )(original),
      };
    },
  ),
];

export const deletingWithoutKeyDeviations: CacheDeviation[] = [...withoutKey, ...unknownKey];
