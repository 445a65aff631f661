/** Deletions that match nothing, and ids of other repositories. */
import { type Cache, type Operation, Refusal } from '../../../reference/caches/index.ts';
import { type CacheVariant, status } from './kit.ts';

const isByKey = (operation: Operation): boolean => operation === 'delete-by-key';

const deletingNothing = (id: string, status: number): CacheVariant => ({
  id: `nothing-to-delete-by-key-${id}`,
  fills: ['CACHE-SILENCE-DELETE-KEY-NONE'],
  sentence: `answers ${status} when no cache has the key, or the key and the reference`,
  rules: (original) => ({
    cachesToDelete: (repository, query, env) => {
      const doomed = original.cachesToDelete(repository, query, env);
      if (doomed.length === 0) throw new Refusal('key-missing');
      return doomed;
    },
    refusalStatus: (reason, operation) =>
      reason === 'key-missing' && isByKey(operation) ? status : original.refusalStatus(reason, operation),
  }),
});

export const deletingVariants: CacheVariant[] = [
  deletingNothing('unknown', 404),
  deletingNothing('unprocessable', 422),
  ...[422, 404].map((code) =>
    status('a-deletion-has-no-key', ['CACHE-SILENCE-DELETE-KEY-MISSING'], 'key-missing', code, isByKey),
  ),
  status(
    'an-id-has-no-cache',
    ['CACHE-SILENCE-DELETE-ID-NONE', 'CACHE-SILENCE-DELETE-ID-OTHER-REPO'],
    'unknown',
    410,
    (operation) => operation === 'delete-by-id',
  ),
  {
    id: 'deleting-what-is-gone-is-done',
    fills: ['CACHE-SILENCE-DELETE-ID-NONE', 'CACHE-SILENCE-DELETE-ID-OTHER-REPO'],
    sentence: 'answers 204 to the deletion of an id that no cache of the repository has',
    rules: (original) => ({
      cacheById: (repository, id, env) =>
        original.cacheById(repository, id, env) ?? ({ id: -1, repository } as unknown as Cache),
    }),
  },
  {
    id: 'id-that-is-no-integer',
    fills: ['CACHE-SILENCE-DELETE-ID-TEXT'],
    sentence: 'answers 400 to an id that is not an integer',
    rules: (original) => ({
      cacheById: (repository, id, env) => {
        if (!/^-?\d+$/.test(id)) throw new Refusal('malformed');
        return original.cacheById(repository, id, env);
      },
    }),
  },
  {
    id: 'id-in-any-notation',
    fills: ['CACHE-SILENCE-DELETE-ID-TEXT'],
    sentence: 'accepts an id in any notation of the same integer, and with a format after a dot',
    rules: (original) => ({
      cacheById: (repository, id, env) => {
        const value = Number(id.replace(/\.[a-z]\w*$/i, ''));
        return original.cacheById(repository, Number.isInteger(value) ? String(value) : id, env);
      },
    }),
  },
  {
    id: 'id-of-another-repository-forbidden',
    fills: ['CACHE-SILENCE-DELETE-ID-OTHER-REPO'],
    sentence: "answers 403 to the id of another repository's cache",
    rules: (original) => ({
      cacheById: (repository, id, env) => {
        const found = original.cacheById(repository, id, env);
        if (found === undefined && env.state.caches.some((cache) => String(cache.id) === id))
          throw new Refusal('forbidden');
        return found;
      },
    }),
  },
  {
    id: 'ids-unique-within-a-repository',
    fills: ['CACHE-SILENCE-DELETE-ID-OTHER-REPO'],
    sentence: 'numbers the caches of each repository from the same number on',
    rules: (original) => {
      const last = new Map<unknown, number>();
      return {
        seededTimes: (cache, now) => {
          const id = (last.get(cache.repository) ?? 2 ** 33) + 1;
          last.set(cache.repository, id);
          return { ...original.seededTimes(cache, now), id };
        },
      };
    },
  },
  {
    id: 'ids-of-deleted-caches-given-again',
    fills: ['CACHE-SILENCE-DELETE-ID-NONE'],
    sentence: 'gives a new cache the id of one that was deleted',
    rules: (original) => {
      const free: number[] = [];
      return {
        removeCaches: (caches, why, env) => {
          original.removeCaches(caches, why, env);
          free.push(...caches.map(({ id }) => id));
        },
        seededTimes: (cache, now) => ({
          ...original.seededTimes(cache, now),
          ...(free.length > 0 && { id: free.shift()! }),
        }),
      };
    },
  },
  {
    id: 'deletions-at-once-one-by-one',
    fills: ['CACHE-SILENCE-DELETE-AT-ONCE'],
    sentence: 'answers 409 to a deletion while another one of the same thing is under way',
    wrap: (next) => {
      const underWay = new Set<string>();
      return async (request) => {
        const { method, url } = request;
        if (method !== 'DELETE') return next(request);
        if (underWay.has(url)) return Response.json({ message: 'being deleted' }, { status: 409 });
        underWay.add(url);
        await new Promise((resolve) => setImmediate(resolve));
        underWay.delete(url);
        return next(request);
      };
    },
  },
  {
    id: 'deletions-at-once-alike',
    fills: ['CACHE-SILENCE-DELETE-AT-ONCE'],
    sentence: 'answers each of several simultaneous deletions of the same thing with the same deleted caches',
    wrap: (next) => {
      const underWay = new Map<string, Promise<Response>>();
      return async (request) => {
        const { method, url, headers } = request;
        if (method !== 'DELETE') return next(request);
        // A deletion is the same as another if token and URL are equal, whichever client sends it.
        const as = `${headers.get('authorization')} ${url}`;
        const one = underWay.get(as);
        if (one) return (await one).clone();
        const answer = new Promise((resolve) => setImmediate(resolve)).then(() => next(request));
        underWay.set(as, answer);
        const response = await answer;
        underWay.delete(as);
        return response.clone();
      };
    },
  },
];
