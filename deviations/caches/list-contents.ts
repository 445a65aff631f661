/** Lists that lack caches of the repository or contain those of others (section 4, endpoint 16). */
import {
  type Cache,
  type CacheRules,
  type Env,
  type ListQuery,
  Refusal,
} from '../../reference/caches/index.ts';
import { breaking, type CacheDeviation, type Changed } from './kit.ts';
import { isPlain } from './list-kit.ts';

/** Further requirements that fail where lists lack caches, since their checks look for caches in lists. */
const LACKING = [
  'CACHE-LIST-*',
  'CACHE-DELETE-*',
  'CACHE-PERM-DELETE-*',
  'CACHE-AUTH-DELETE-*',
  'CACHE-ANON-*',
  'CACHE-CASE-*',
  'CACHE-ENTRY-SIZE-LARGE',
];

/** Makes the list from other caches; `choose` gets the correct ones as `right`. */
const listing =
  (choose: (right: Cache[], query: ListQuery, env: Env) => Cache[]) =>
  (original: CacheRules): Changed => ({
    arrangeCaches: (all, query, env) => original.arrangeCaches(choose(all, query, env), query, env),
  });

/** Returns the first cache of each group that `same` considers alike. */
const firstOfEach = (caches: Cache[], same: (a: Cache, b: Cache) => boolean): Cache[] =>
  caches.filter((cache, i) => caches.findIndex((each) => same(each, cache)) === i);

/** Leaves caches out of lists without filters. */
const lacking = (id: string, sentence: string, keep: (right: Cache[]) => Cache[]): CacheDeviation =>
  breaking(
    id,
    'CACHE-LIST-COMPLETE',
    sentence,
    listing((right, query) => (isPlain(query) ? keep(right) : right)),
    LACKING,
  );

/**
 * Fills lists without filters with every cache that resembles the repository's first one, whatever repository
 * it is in.
 */
const widened = (
  id: string,
  breaks: string,
  sentence: string,
  same: (each: Cache, own: Cache) => boolean,
): CacheDeviation =>
  breaking(
    id,
    breaks,
    sentence,
    listing((right, query, env) => {
      const [own] = right;
      return own && isPlain(query) ? env.state.caches.filter((each) => same(each, own)) : right;
    }),
    LACKING,
  );

export const listContentsDeviations: CacheDeviation[] = [
  breaking(
    'list-empty-is-unknown',
    'CACHE-LIST-EMPTY',
    'answers 404 where no cache matches a filter',
    (original) => ({
      arrangeCaches: (all, query, env) => {
        const page = original.arrangeCaches(all, query, env);
        if (page.total === 0 && !isPlain(query)) throw new Refusal('unknown');
        return page;
      },
    }),
  ),
  breaking(
    'list-one-per-key',
    'CACHE-LIST-COMPLETE',
    'lists one cache for each key and reference',
    listing((right) => firstOfEach(right, (a, b) => a.key === b.key && a.ref === b.ref)),
    // The figures of others' caches are compared with the list.
    ['CACHE-DELETE-*', 'CACHE-PERM-DELETE-*', 'CACHE-REPO-USAGE-*', 'CACHE-BY-REPO-*'],
  ),
  lacking('list-one-per-key-only', 'lists one cache for each key', (right) =>
    firstOfEach(right, (a, b) => a.key === b.key),
  ),
  lacking('list-without-pulls', 'leaves pull requests out of the list without filters', (right) =>
    right.filter((cache) => cache.ref.startsWith('refs/heads/')),
  ),
  lacking('list-main-only', 'lists the default branch where no reference is asked for', (right) =>
    right.filter((cache) => cache.ref === 'refs/heads/main'),
  ),
  widened(
    'list-owner',
    'CACHE-LIST-SCOPE-REPO',
    'lists the caches of all repositories of the owner',
    (each, own) => each.repository.owner === own.repository.owner,
  ),
  widened(
    'list-namesakes',
    'CACHE-LIST-SCOPE-OWNER',
    'lists the caches of every repository of that name',
    (each, own) => each.repository.name === own.repository.name,
  ),
  breaking(
    'list-lacks-caches-of-no-bytes',
    'CACHE-LIST-COMPLETE',
    'does not list caches of no bytes',
    listing((right) => right.filter(({ sizeInBytes }) => sizeInBytes > 0)),
    LACKING,
  ),
];
