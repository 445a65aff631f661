/** Filtering the list of caches by reference, alone and with a key (section 4, endpoint 16, query ref). */
import type { Cache, Env, ListQuery } from '../../reference/caches/index.ts';
import { breaking, type CacheDeviation } from './kit.ts';
import { selecting } from './list-kit.ts';

/** Replaces the comparison of references; `requirement` lacks the beginning `CACHE-LIST-REF-`. */
const ref = (
  id: string,
  requirement: string,
  sentence: string,
  matches: (asked: string, ref: string) => boolean,
  entails: string[] = [],
): CacheDeviation =>
  breaking(
    `list-ref-${id}`,
    `CACHE-LIST-REF-${requirement}`,
    sentence,
    () => ({ matchesRef: matches }),
    entails,
  );

/** Further requirements that fail where branches are not found under their full names. */
const NOT_FOUND = ['CACHE-LIST-REF-*', 'CACHE-LIST-KEY-AND-REF'];

/** Replaces the choice of caches where both filters are given. */
const both = (
  id: string,
  sentence: string,
  keep: (cache: Cache, query: Required<Pick<ListQuery, 'key' | 'ref'>>, env: Env) => boolean,
): CacheDeviation =>
  breaking(
    id,
    'CACHE-LIST-KEY-AND-REF',
    sentence,
    selecting((right, all, { key, ref }, env) =>
      key && ref ? all.filter((cache) => keep(cache, { key, ref }, env)) : right,
    ),
  );

/** Returns a reference without its beginning, which says whether it is a branch or a tag. */
const shortName = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, '');

export const listRefDeviations: CacheDeviation[] = [
  ref(
    'kind-ignored',
    'EXACT',
    'lists the caches of a tag under the branch of the same name',
    (asked, each) => asked === each || (asked.startsWith('refs/') && shortName(asked) === shortName(each)),
  ),
  ref(
    'cut',
    'BRANCH',
    'cuts branch names at a slash',
    (asked, each) =>
      asked.startsWith('refs/heads/') ? asked.split('/').slice(0, 3).join('/') === each : asked === each,
    NOT_FOUND,
  ),
  ref(
    'stripped',
    'BRANCH',
    'compares the branch name with the full reference',
    (asked, each) => asked.replace(/^refs\/heads\//, '') === each,
    NOT_FOUND,
  ),
  ref(
    'branches-only',
    'PULL',
    'puts refs/heads/ before the reference of a pull request',
    (asked, each) => (asked.startsWith('refs/heads/') ? asked : `refs/heads/${asked}`) === each,
    ['CACHE-LIST-REF-TAG'],
  ),
  ref(
    'pull-number',
    'PULL',
    'looks for pull requests without the part after their number',
    (asked, each) =>
      asked.replace(/\/merge$/, '') === each || (asked === each && !asked.startsWith('refs/pull/')),
  ),
  ref(
    'like',
    'EXACT',
    'takes an underscore in ref for any character when it lists',
    (asked, each) =>
      asked.length === each.length && [...asked].every((one, i) => one === '_' || one === each[i]),
  ),
  ref('prefix', 'EXACT', 'lists references that begin with the one given', (asked, each) =>
    each.startsWith(asked),
  ),
  ref('suffix', 'EXACT', 'lists references that end with the one given', (asked, each) =>
    each.endsWith(asked),
  ),
  ref('ignored', 'EXACT', 'ignores ref when it lists', () => true, [
    'CACHE-LIST-REF-CASE',
    'CACHE-LIST-TOTAL-FILTERED',
  ]),
  ref(
    'last-parts',
    'EXACT',
    'compares the ends of references',
    (asked, each) => each.endsWith(asked.replace(/^refs\/(heads|pull)\//, '/')),
    ['CACHE-LIST-REF-CASE'],
  ),
  ref(
    'case',
    'CASE',
    'compares references without regard to case',
    (asked, each) => each.toLowerCase() === asked.toLowerCase(),
  ),
  both(
    'list-key-or-ref',
    'lists caches that match key or ref',
    (cache, query, { rules }) =>
      rules.matchesKey(query.key, cache.key) || rules.matchesRef(query.ref, cache.ref),
  ),
  both('list-ref-replaces-key', 'ignores key where there is a ref', (cache, query, { rules }) =>
    rules.matchesRef(query.ref, cache.ref),
  ),
  both('list-key-replaces-ref', 'ignores ref where there is a key', (cache, query, { rules }) =>
    rules.matchesKey(query.key, cache.key),
  ),
];
