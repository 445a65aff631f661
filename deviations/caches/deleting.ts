/** Deleting by key and by id (section 4, endpoints 17 and 18). */
import type { Cache, CacheRules, DeletionQuery, Env, Repository } from '../../reference/caches/index.ts';
import { changeKind } from '../kit/answers.ts';
import { breaking, type CacheDeviation, type Changed } from './kit.ts';
import { withContent } from './limits.ts';
import { cachesSurface } from './surface.ts';

/** Caches that are deleted by a query, chosen in another way; gets those that are rightly chosen. */
const choosing =
  (choose: (right: Cache[], repository: Repository, query: DeletionQuery, env: Env) => Cache[]) =>
  (original: CacheRules): Changed => ({
    cachesToDelete: (repository, query, env) =>
      choose(original.cachesToDelete(repository, query, env), repository, query, env),
  });

/** Caches that the answer names. */
const answering =
  (report: (deleted: Cache[], repository: Repository, env: Env) => Cache[]) =>
  (original: CacheRules): Changed => ({
    reportDeleted: (deleted, repository, env) =>
      report(original.reportDeleted(deleted, repository, env), repository, env),
  });

const all = (env: Env): Cache[] => env.state.caches;
const here = (repository: Repository, env: Env): Cache[] =>
  all(env).filter((cache) => cache.repository === repository);

/** A text as a pattern of SQL's LIKE. */
function like(pattern: string, text: string): boolean {
  const source = pattern
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('%', '.*')
    .replaceAll('_', '.');
  return new RegExp(`^${source}$`, 's').test(text);
}

/** A text as a regular expression; one that is none matches itself. */
function regular(pattern: string, text: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`).test(text);
  } catch {
    return pattern === text;
  }
}

/** What a deletion that takes too much shows as well. */
const TOO_MUCH = ['CACHE-DELETE-KEY-ANSWER', 'CACHE-DELETE-KEY-ANSWER-TOTAL'];

const byKey: CacheDeviation[] = [
  breaking(
    'delete-key-first-only',
    'CACHE-DELETE-KEY-ALL',
    'deletes only the first cache with a key',
    choosing((right) => right.slice(0, 1)),
    ['CACHE-DELETE-REF-MATCH', 'CACHE-DELETE-KEY-MANY'],
  ),
  breaking(
    'delete-key-one-version',
    'CACHE-DELETE-KEY-ALL',
    'deletes one cache with a key for each reference',
    choosing((right) => right.filter((cache, i) => right.findIndex((each) => each.ref === cache.ref) === i)),
    ['CACHE-DELETE-REF-MATCH'],
  ),
  breaking(
    'delete-key-branches-only',
    'CACHE-DELETE-KEY-ALL',
    'spares the caches of pull requests when it deletes a key',
    choosing((right, _r, { ref }) =>
      ref ? right : right.filter((cache) => cache.ref.startsWith('refs/heads/')),
    ),
  ),
  breaking(
    'delete-key-claims-only',
    'CACHE-DELETE-KEY-ALL',
    'answers a deletion by key as if it was carried out, and deletes nothing',
    (original) => ({
      removeCaches: (caches, why, env) =>
        why === 'delete-by-key' ? undefined : original.removeCaches(caches, why, env),
    }),
    ['CACHE-DELETE-REF-MATCH', 'CACHE-PERM-DELETE-CLASSIC', 'CACHE-PERM-DELETE-FINE'],
  ),
  breaking(
    'delete-key-first-hundred',
    'CACHE-DELETE-KEY-MANY',
    'deletes no more than a hundred caches at once',
    choosing((right) => right.slice(0, 100)),
  ),
  breaking(
    'delete-key-one-page',
    'CACHE-DELETE-KEY-MANY',
    'deletes what fits on a page of the default size',
    choosing((right) => right.slice(0, 30)),
  ),
  breaking(
    'delete-key-prefix',
    'CACHE-DELETE-KEY-COMPLETE-KEY',
    'deletes every cache whose key begins with the one given',
    () => ({ deletesKey: (asked, key) => key.startsWith(asked) }),
    [
      ...TOO_MUCH,
      'CACHE-DELETE-REF-OTHER-KEYS',
      'CACHE-DELETE-KEY-UNKNOWN',
      'CACHE-DELETE-KEY-AGAIN',
      'CACHE-DELETE-KEY-LITERAL',
      'CACHE-DELETE-REF-ANSWER',
    ],
  ),
  breaking(
    'delete-key-substring',
    'CACHE-DELETE-KEY-COMPLETE-KEY',
    'deletes every cache whose key holds the one given',
    () => ({ deletesKey: (asked, key) => key.includes(asked) }),
    [
      ...TOO_MUCH,
      'CACHE-DELETE-REF-OTHER-KEYS',
      'CACHE-DELETE-KEY-UNKNOWN',
      'CACHE-DELETE-KEY-AGAIN',
      'CACHE-DELETE-KEY-LITERAL',
      'CACHE-DELETE-REF-ANSWER',
    ],
  ),
  breaking(
    'delete-key-suffix',
    'CACHE-DELETE-KEY-COMPLETE-KEY',
    'deletes every cache whose key ends with the one given',
    () => ({ deletesKey: (asked, key) => key.endsWith(asked) }),
    [...TOO_MUCH, 'CACHE-DELETE-KEY-AGAIN', 'CACHE-DELETE-KEY-LITERAL'],
  ),
  breaking(
    'delete-key-ignored',
    'CACHE-DELETE-KEY-OTHERS',
    'deletes every cache of the repository, whatever the key is',
    choosing((right, repository, _q, env) => (right.length > 1 ? here(repository, env) : right)),
    [
      ...TOO_MUCH,
      'CACHE-DELETE-KEY-COMPLETE-KEY',
      'CACHE-DELETE-KEY-CASE',
      'CACHE-DELETE-REF-OTHER-KEYS',
      'CACHE-DELETE-REF-RESTRICTS',
      'CACHE-DELETE-REF-ANSWER',
      'CACHE-DELETE-KEY-ANSWER-MANY',
    ],
  ),
  breaking(
    'delete-key-last-of-others',
    'CACHE-DELETE-KEY-OTHERS',
    'takes one more cache of the repository along when it deletes a key',
    choosing((right, repository, _q, env) => [
      ...right,
      ...here(repository, env)
        .filter((cache) => !cache.key.toLowerCase().includes((right[0]?.key ?? '').toLowerCase()))
        .slice(-1),
    ]),
    ['*'],
  ),
  breaking(
    'delete-key-case',
    'CACHE-DELETE-KEY-CASE',
    'deletes a key without regard to case',
    () => ({ deletesKey: (asked, key) => asked.toLowerCase() === key.toLowerCase() }),
    [...TOO_MUCH, 'CACHE-DELETE-KEY-AGAIN'],
  ),
  breaking(
    'delete-key-like',
    'CACHE-DELETE-KEY-LITERAL',
    'takes the key to delete as a pattern of SQL',
    () => ({ deletesKey: (asked, key) => like(asked, key) }),
  ),
  breaking(
    'delete-key-regular',
    'CACHE-DELETE-KEY-LITERAL',
    'takes the key to delete as a regular expression',
    () => ({ deletesKey: (asked, key) => regular(asked, key) }),
  ),
  breaking(
    'delete-key-decoded-twice',
    'CACHE-DELETE-KEY-DECODED',
    'decodes the key to delete twice',
    () => ({
      deletesKey: (asked, key) => {
        try {
          return decodeURIComponent(asked) === key;
        } catch {
          return asked === key;
        }
      },
    }),
    ['CACHE-DELETE-KEY-LITERAL'],
  ),
  breaking(
    'delete-key-plus-is-space',
    'CACHE-DELETE-KEY-DECODED',
    'takes a plus sign in the key to delete for a space',
    () => ({ deletesKey: (asked, key) => asked.replaceAll('+', ' ') === key }),
  ),
  breaking('delete-key-latin', 'CACHE-DELETE-KEY-DECODED', 'reads the key to delete as Latin-1', () => ({
    deletesKey: (asked, key) => Buffer.from(asked, 'utf8').toString('latin1') === key,
  })),
  breaking(
    'delete-key-cut-at-slash',
    'CACHE-DELETE-KEY-DECODED',
    'cuts the key to delete at a slash',
    () => ({ deletesKey: (asked, key) => asked.split('/')[0] === key }),
  ),
  breaking(
    'delete-key-whole-owner',
    'CACHE-DELETE-KEY-REPO',
    'deletes a key in all repositories of the owner',
    choosing((right, repository, { key, ref }, env) => [
      ...new Set([
        ...right,
        ...all(env).filter(
          (cache) =>
            cache.repository.owner === repository.owner && cache.key === key && (!ref || cache.ref === ref),
        ),
      ]),
    ]),
    TOO_MUCH,
  ),
  breaking(
    'delete-key-namesakes',
    'CACHE-DELETE-KEY-OWNER',
    'deletes a key in every repository of that name',
    choosing((right, repository, { key }, env) => [
      ...new Set([
        ...right,
        ...all(env).filter((cache) => cache.key === key && cache.repository.owner !== repository.owner),
      ]),
    ]),
    TOO_MUCH,
  ),
  breaking(
    'delete-key-everywhere',
    ['CACHE-DELETE-KEY-REPO', 'CACHE-DELETE-KEY-OWNER'],
    'deletes a key in every repository',
    choosing((_right, _repository, { key, ref }, env) =>
      all(env).filter((cache) => cache.key === key && (!ref || cache.ref === ref)),
    ),
    TOO_MUCH,
  ),
];

const answers: CacheDeviation[] = [
  breaking(
    'delete-answer-empty',
    'CACHE-DELETE-KEY-ANSWER',
    'answers a deletion by key with an empty list',
    answering(() => []),
    ['CACHE-DELETE-KEY-ANSWER-MANY', 'CACHE-DELETE-REF-ANSWER'],
  ),
  breaking(
    'delete-answer-left',
    'CACHE-DELETE-KEY-ANSWER',
    'answers a deletion by key with what is left',
    answering((_deleted, repository, env) => here(repository, env)),
    [
      'CACHE-DELETE-KEY-ANSWER-MANY',
      'CACHE-DELETE-REF-ANSWER',
      'CACHE-DELETE-KEY-UNKNOWN',
      'CACHE-DELETE-KEY-AGAIN',
      'CACHE-DELETE-REF-UNKNOWN',
    ],
  ),
  breaking(
    'delete-answer-one',
    'CACHE-DELETE-KEY-ANSWER',
    'answers a deletion by key with the first cache that it deleted',
    answering((deleted) => deleted.slice(0, 1)),
    ['CACHE-DELETE-KEY-ANSWER-MANY', 'CACHE-DELETE-REF-ANSWER'],
  ),
  breaking(
    'delete-answer-twice',
    'CACHE-DELETE-KEY-ANSWER',
    'answers a deletion by key with every cache twice',
    answering((deleted) => [...deleted, ...deleted]),
    ['CACHE-DELETE-KEY-ANSWER-MANY', 'CACHE-DELETE-REF-ANSWER'],
  ),
  breaking(
    'delete-answer-page',
    'CACHE-DELETE-KEY-ANSWER-MANY',
    'answers a deletion by key with the first hundred caches',
    answering((deleted) => deleted.slice(0, 100)),
  ),
  breaking(
    'delete-answer-default-page',
    'CACHE-DELETE-KEY-ANSWER-MANY',
    'answers a deletion by key with the first thirty caches',
    answering((deleted) => deleted.slice(0, 30)),
  ),
  breaking(
    'delete-total-left',
    'CACHE-DELETE-KEY-ANSWER-TOTAL',
    'counts what is left in the answer to a deletion by key',
    () => ({ countDeleted: (_deleted, repository, env) => here(repository, env).length }),
  ),
  breaking(
    'delete-total-zero',
    'CACHE-DELETE-KEY-ANSWER-TOTAL',
    'counts no cache in the answer to a deletion by key',
    () => ({ countDeleted: () => 0 }),
  ),
  breaking(
    'delete-total-one',
    'CACHE-DELETE-KEY-ANSWER-TOTAL',
    'counts keys instead of caches in the answer to a deletion by key',
    () => ({ countDeleted: (deleted) => Math.min(1, deleted.length) }),
  ),
];

/** Answers a deletion without a key in one way or another. */
const keyless =
  (
    choose: (repository: Repository, query: DeletionQuery, env: Env) => Cache[],
    when: (query: DeletionQuery) => boolean,
  ) =>
  (original: CacheRules): Changed => ({
    hasKey: (query) => original.hasKey(query) || when(query),
    cachesToDelete: (repository, query, env) =>
      original.hasKey(query)
        ? original.cachesToDelete(repository, query, env)
        : choose(repository, query, env),
  });
const isAbsent = ({ key, ref }: DeletionQuery): boolean => key === undefined && ref === undefined;
const isEmpty = ({ key }: DeletionQuery): boolean => key === '';
const isAlone = ({ key, ref }: DeletionQuery): boolean => key === undefined && ref !== undefined;

const withoutKey: CacheDeviation[] = [
  breaking(
    'delete-without-key-all',
    'CACHE-DELETE-KEY-REQUIRED',
    'empties the repository when no key is given',
    keyless((repository, _q, env) => here(repository, env), isAbsent),
    ['CACHE-DELETE-KEY-REQUIRED-REFUSED'],
  ),
  breaking(
    'delete-without-key-last',
    'CACHE-DELETE-KEY-REQUIRED',
    'deletes the newest cache when no key is given',
    keyless((repository, _q, env) => here(repository, env).slice(-1), isAbsent),
    ['CACHE-DELETE-KEY-REQUIRED-REFUSED'],
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
    keyless((repository, _q, env) => here(repository, env), isEmpty),
  ),
  breaking(
    'delete-empty-key-prefix',
    'CACHE-DELETE-KEY-EMPTY',
    'takes an empty key for the beginning of every key',
    keyless(
      (repository, { ref }, env) => here(repository, env).filter((cache) => !ref || cache.ref === ref),
      isEmpty,
    ),
  ),
  breaking(
    'delete-ref-alone',
    'CACHE-DELETE-REF-ALONE',
    'deletes a whole reference when no key is given with it',
    keyless(
      (repository, { ref }, env) => here(repository, env).filter((cache) => cache.ref === ref),
      isAlone,
    ),
  ),
  breaking(
    'delete-ref-alone-all',
    'CACHE-DELETE-REF-ALONE',
    'empties the repository when a reference and no key is given',
    keyless((repository, _q, env) => here(repository, env), isAlone),
  ),
  breaking(
    'delete-unknown-key-falls-back',
    'CACHE-DELETE-KEY-UNKNOWN',
    'deletes by the beginning of the key when no cache has the key',
    choosing((right, repository, { key = '', ref }, env) =>
      right.length > 0 || ref ? right : here(repository, env).filter((cache) => cache.key.startsWith(key)),
    ),
    ['CACHE-DELETE-KEY-AGAIN'],
  ),
  breaking(
    'delete-unknown-key-takes-last',
    'CACHE-DELETE-KEY-UNKNOWN',
    'deletes the newest cache when no cache has the key',
    choosing((right, repository, { ref }, env) =>
      right.length > 0 || ref ? right : here(repository, env).slice(-1),
    ),
    ['CACHE-DELETE-KEY-AGAIN', 'CACHE-AUTH-DELETE-*'],
  ),
  {
    id: 'delete-again-answers-the-same',
    breaks: ['CACHE-DELETE-KEY-AGAIN'],
    sentence: 'answers the second deletion of a key with the caches of the first one',
    rules: (original) => {
      const before = new Map<string, Cache[]>();
      return {
        reportDeleted: (deleted, repository, env) => {
          const [first] = deleted;
          if (first) before.set(`${repository.owner}/${repository.name} ${first.key}`, deleted);
          return original.reportDeleted(deleted, repository, env);
        },
        cachesToDelete: (repository, query, env) => {
          const doomed = original.cachesToDelete(repository, query, env);
          const known = before.get(`${repository.owner}/${repository.name} ${query.key}`);
          return doomed.length === 0 && !query.ref && known ? known : doomed;
        },
      };
    },
  },
];

const byRef: CacheDeviation[] = [
  breaking(
    'delete-ref-branches-only',
    'CACHE-DELETE-REF-MATCH',
    'does not find pull requests when it deletes with a reference',
    () => ({ deletesRef: (asked, ref) => !asked || (asked === ref && ref.startsWith('refs/heads/')) }),
  ),
  breaking(
    'delete-ref-short',
    'CACHE-DELETE-REF-MATCH',
    'compares the branch name with the full reference when it deletes',
    () => ({ deletesRef: (asked, ref) => !asked || asked.replace(/^refs\/heads\//, '') === ref }),
    ['CACHE-DELETE-REF-RESTRICTS'],
  ),
  breaking(
    'delete-ref-first-only',
    'CACHE-DELETE-REF-MATCH',
    'deletes the first cache with the key and the reference',
    choosing((right, _r, { ref }) => (ref ? right.slice(0, 1) : right)),
  ),
  breaking(
    'delete-ref-ignored',
    'CACHE-DELETE-REF-RESTRICTS',
    'ignores the reference when it deletes',
    () => ({ deletesRef: () => true }),
    ['CACHE-DELETE-REF-ANSWER', 'CACHE-DELETE-REF-UNKNOWN'],
  ),
  breaking(
    'delete-ref-prefix',
    'CACHE-DELETE-REF-RESTRICTS',
    'deletes every reference that begins with the one given',
    () => ({ deletesRef: (asked, ref) => !asked || ref.startsWith(asked) }),
    ['CACHE-DELETE-REF-ANSWER'],
  ),
  breaking(
    'delete-ref-last-part',
    'CACHE-DELETE-REF-RESTRICTS',
    'compares the last part of a reference when it deletes',
    () => ({ deletesRef: (asked, ref) => !asked || ref.split('/').at(-1) === asked.split('/').at(-1) }),
    ['CACHE-DELETE-REF-ANSWER'],
  ),
  breaking(
    'delete-ref-or-key',
    'CACHE-DELETE-REF-OTHER-KEYS',
    'deletes what has the key or the reference',
    choosing((right, repository, { ref }, env) =>
      ref && right.length > 0
        ? [...new Set([...right, ...here(repository, env).filter((cache) => cache.ref === ref)])]
        : right,
    ),
    ['CACHE-DELETE-REF-ANSWER'],
  ),
  breaking(
    'delete-ref-replaces-key',
    'CACHE-DELETE-REF-OTHER-KEYS',
    'deletes by the reference alone when one is given with the key',
    choosing((right, repository, { ref }, env) =>
      ref && right.length > 0 ? here(repository, env).filter((cache) => cache.ref === ref) : right,
    ),
    ['CACHE-DELETE-REF-ANSWER'],
  ),
  breaking(
    'delete-ref-key-prefix',
    'CACHE-DELETE-REF-OTHER-KEYS',
    'takes the key as a beginning when a reference is given with it',
    choosing((right, repository, { key = '', ref }, env) =>
      ref && right.length > 0
        ? here(repository, env).filter((cache) => cache.ref === ref && cache.key.startsWith(key))
        : right,
    ),
    ['CACHE-DELETE-REF-ANSWER'],
  ),
  {
    id: 'delete-ref-answer-by-key',
    breaks: ['CACHE-DELETE-REF-ANSWER'],
    sentence: 'answers a deletion with a reference with everything that had the key',
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

/** The cache that an id means, found in another way. */
const finding =
  (find: (found: Cache | undefined, repository: Repository, id: string, env: Env) => Cache | undefined) =>
  (original: CacheRules): Changed => ({
    cacheById: (repository, id, env) => find(original.cacheById(repository, id, env), repository, id, env),
  });

/** Takes more or less away than the cache that was asked for. */
const removing =
  (remove: (caches: Cache[], env: Env) => Cache[]) =>
  (original: CacheRules): Changed => ({
    removeCaches: (caches, why, env) =>
      original.removeCaches(why === 'delete-by-id' ? remove(caches, env) : caches, why, env),
  });

const deletion = cachesSurface.answers.find(({ name }) => name === 'delete-by-id')!;
const NOT_GONE = ['CACHE-PERM-DELETE-CLASSIC', 'CACHE-PERM-DELETE-FINE'];

const byId: CacheDeviation[] = [
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
    sentence: 'carries a deletion by id out with the next one',
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
    'deletes every cache with the key of the one that an id means',
    removing((caches, env) =>
      all(env).filter((each) =>
        caches.some((cache) => cache.key === each.key && cache.repository === each.repository),
      ),
    ),
  ),
  breaking(
    'delete-id-takes-key-and-ref',
    'CACHE-DELETE-ID-ONLY',
    'deletes every cache with the key and reference of the one that an id means',
    removing((caches, env) =>
      all(env).filter((each) =>
        caches.some(
          (cache) => cache.key === each.key && cache.ref === each.ref && cache.repository === each.repository,
        ),
      ),
    ),
  ),
  breaking(
    'delete-id-takes-next',
    'CACHE-DELETE-ID-ONLY',
    'deletes the cache after the one that an id means along with it',
    removing((caches, env) => [
      ...caches,
      ...all(env).filter((each) =>
        caches.some((cache) => each.id === cache.id + 1 && each.repository === cache.repository),
      ),
    ]),
    ['CACHE-AUTH-DELETE-*', 'CACHE-PERM-DELETE-*', 'CACHE-DELETE-*', 'CACHE-ANON-DELETE-PUBLIC'],
  ),
  breaking(
    'delete-id-any-repository',
    'CACHE-DELETE-ID-REPO',
    "deletes another repository's cache by its id",
    finding((found, _repository, id, env) => found ?? all(env).find((cache) => String(cache.id) === id)),
  ),
  breaking(
    'delete-id-same-owner',
    'CACHE-DELETE-ID-REPO',
    'deletes a cache of another repository of the owner by its id',
    finding(
      (found, repository, id, env) =>
        found ??
        all(env).find((cache) => String(cache.id) === id && cache.repository.owner === repository.owner),
    ),
  ),
  breaking(
    'delete-id-unknown-takes-last',
    'CACHE-DELETE-ID-UNKNOWN',
    'deletes the newest cache when no cache of any repository has the id',
    finding(
      (found, repository, id, env) =>
        found ??
        (all(env).some((cache) => String(cache.id) === id) ? undefined : here(repository, env).at(-1)),
    ),
    ['CACHE-DELETE-*'],
  ),
  breaking(
    'delete-id-unknown-takes-first',
    'CACHE-DELETE-ID-UNKNOWN',
    'deletes the oldest cache when no cache of any repository has the id',
    finding(
      (found, repository, id, env) =>
        found ?? (all(env).some((cache) => String(cache.id) === id) ? undefined : here(repository, env)[0]),
    ),
    ['CACHE-DELETE-*'],
  ),
];

export const deletingDeviations: CacheDeviation[] = [...byKey, ...answers, ...withoutKey, ...byRef, ...byId];
