/** Which caches a deletion by key removes (section 4, endpoint 17, query key). */
import type { Cache, DeletionQuery, Repository } from '../../reference/caches/index.ts';
import { all, choosing, here } from './deleting-kit.ts';
import { comparing, misreadings } from './keys.ts';
import { breaking, type CacheDeviation } from './kit.ts';

/** Further requirements that fail where a deletion removes too many caches. */
const TOO_MUCH = ['CACHE-DELETE-KEY-ANSWER', 'CACHE-DELETE-KEY-ANSWER-TOTAL'];
/** Further requirements that fail where a deletion also removes keys that merely contain the given one. */
const HOLDING = [
  ...TOO_MUCH,
  'CACHE-DELETE-REF-OTHER-KEYS',
  'CACHE-DELETE-KEY-UNKNOWN',
  'CACHE-DELETE-KEY-AGAIN',
  'CACHE-DELETE-KEY-LITERAL',
  'CACHE-DELETE-REF-ANSWER',
];

/**
 * Replaces the comparison of keys. The second argument follows `CACHE-DELETE-KEY-` in the requirement's id.
 */
const key = comparing('delete-key', 'CACHE-DELETE-KEY', 'deletesKey');

const incomplete: CacheDeviation[] = [
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
    'does not delete the caches of pull requests when it deletes by key',
    choosing((right, _r, { ref }) =>
      ref ? right : right.filter((cache) => cache.ref.startsWith('refs/heads/')),
    ),
  ),
  breaking(
    'delete-key-claims-only',
    'CACHE-DELETE-KEY-ALL',
    'answers a deletion by key as if it were carried out, and deletes nothing',
    (original) => ({
      removeCaches: (caches, why, env) =>
        why === 'delete-by-key' ? undefined : original.removeCaches(caches, why, env),
    }),
    ['CACHE-DELETE-REF-MATCH', 'CACHE-PERM-DELETE-CLASSIC', 'CACHE-PERM-DELETE-FINE'],
  ),
  ...(
    [
      ['first-hundred', 100, 'deletes no more than a hundred caches at once'],
      ['one-page', 30, 'deletes no more caches at once than fit on a page of the default size'],
    ] as const
  ).map(([id, most, sentence]) =>
    breaking(
      `delete-key-${id}`,
      'CACHE-DELETE-KEY-MANY',
      sentence,
      choosing((right) => right.slice(0, most)),
      ['CACHE-DELETE-REF-MATCH'],
    ),
  ),
];

const otherKeys: CacheDeviation[] = [
  key(
    'prefix',
    'COMPLETE-KEY',
    'deletes every cache whose key begins with the one given',
    (asked, each) => each.startsWith(asked),
    HOLDING,
  ),
  key(
    'substring',
    'COMPLETE-KEY',
    'deletes every cache whose key contains the one given',
    (asked, each) => each.includes(asked),
    HOLDING,
  ),
  key(
    'suffix',
    'COMPLETE-KEY',
    'deletes every cache whose key ends with the one given',
    (asked, each) => each.endsWith(asked),
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
    'deletes one more cache of the repository when it deletes by key',
    choosing((right, repository, _q, env) => [
      ...right,
      ...here(repository, env)
        .filter((cache) => !cache.key.toLowerCase().includes((right[0]?.key ?? '').toLowerCase()))
        .slice(-1),
    ]),
    ['*'],
  ),
  key(
    'case',
    'CASE',
    'compares the key of a deletion without regard to case',
    (asked, each) => asked.toLowerCase() === each.toLowerCase(),
    [...TOO_MUCH, 'CACHE-DELETE-KEY-AGAIN'],
  ),
  ...misreadings('whole', 'the key to delete', 'as').map(([id, requirement, sentence, matches]) =>
    key(
      id,
      requirement,
      sentence,
      matches,
      // A percent sign that is meant literally is decoded as well.
      id === 'decoded-twice' ? ['CACHE-DELETE-KEY-LITERAL'] : [],
    ),
  ),
  ...([',', ';', '|'] as const).map((mark, i) =>
    key(
      `split-at-${['comma', 'semicolon', 'bar'][i]}`,
      'LITERAL',
      `deletes every part of a key that has ${mark} in it, too`,
      (asked, each) => asked === each || asked.split(mark).includes(each),
    ),
  ),
  key(
    'cut-at-slash',
    'DECODED',
    'truncates the key to delete at a slash',
    (asked, each) => asked.split('/')[0] === each,
    ['CACHE-DELETE-KEY-LITERAL'],
  ),
];

const isNumber = (text: string): boolean => text.trim() !== '' && !Number.isNaN(Number(text));

const numbers: CacheDeviation[] = [
  key(
    'as-number',
    'COMPLETE-KEY',
    'compares the key of a deletion as a number where both are numbers',
    (asked, each) => asked === each || (isNumber(asked) && isNumber(each) && Number(asked) === Number(each)),
  ),
  key(
    'as-leading-number',
    'COMPLETE-KEY',
    'compares the digits at the beginning of keys where a deletion asks for a number',
    (asked, each) => (isNumber(asked) ? Number.parseFloat(each) === Number(asked) : asked === each),
  ),
  key(
    'parsed-as-number',
    'ALL',
    'reads the key of a deletion as a number where it consists of digits',
    (asked, each) => (/^\d+$/.test(asked) ? String(BigInt(asked)) : asked) === each,
  ),
];

/** Makes a deletion also remove caches with the key from other repositories where `reaches` holds. */
const reaching = (
  id: string,
  breaks: string,
  sentence: string,
  reaches: (cache: Cache, repository: Repository, query: DeletionQuery) => boolean,
): CacheDeviation =>
  breaking(
    `delete-key-${id}`,
    breaks,
    sentence,
    choosing((right, repository, query, env) => [
      ...new Set([
        ...right,
        ...all(env).filter((cache) => cache.key === query.key && reaches(cache, repository, query)),
      ]),
    ]),
    TOO_MUCH,
  );

const otherRepositories: CacheDeviation[] = [
  reaching(
    'whole-owner',
    'CACHE-DELETE-KEY-REPO',
    'deletes a key in all repositories of the owner',
    (cache, { owner }, { ref }) => cache.repository.owner === owner && (!ref || cache.ref === ref),
  ),
  reaching(
    'namesakes',
    'CACHE-DELETE-KEY-OWNER',
    'deletes a key in every repository of that name',
    (cache, { owner }) => cache.repository.owner !== owner,
  ),
  breaking(
    'delete-key-everywhere',
    ['CACHE-DELETE-KEY-REPO', 'CACHE-DELETE-KEY-OWNER'],
    'deletes a key in every repository',
    choosing((_right, _repository, { key: asked, ref }, env) =>
      all(env).filter((cache) => cache.key === asked && (!ref || cache.ref === ref)),
    ),
    TOO_MUCH,
  ),
];

export const deletingByKeyDeviations: CacheDeviation[] = [
  ...incomplete,
  ...otherKeys,
  ...numbers,
  ...otherRepositories,
];
