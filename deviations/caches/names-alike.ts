/** Keys and references that servers take for the same, or leave out of a range (section 4, endpoints 16 and 17). */
import type { Cache } from '../../reference/caches/index.ts';
import { breaking, type CacheDeviation } from './kit.ts';
import { changingEntries } from './other-lists.ts';

/** How many characters an index of MySQL holds where each may take four bytes. */
const INDEX = 191;

const LITERAL = 'CACHE-DELETE-KEY-LITERAL';

const keys: CacheDeviation[] = [
  ...(
    [
      ['z', 'z', 'lists the keys from the given one to the same with a z behind it'],
      ['ascii', '\u007f', 'lists the keys that go on in ASCII after the given one'],
    ] as const
  ).map(([id, last, sentence]) =>
    breaking(
      `list-key-range-to-${id}`,
      'CACHE-LIST-KEY-PREFIX',
      sentence,
      () => ({
        matchesKey: (asked, key) => asked <= key && key <= `${asked}${last}`,
      }),
      ['CACHE-LIST-KEY-*'],
    ),
  ),
  breaking(
    'delete-key-slashes-merged',
    LITERAL,
    'takes several slashes in the key of a deletion for one',
    () => ({
      deletesKey: (asked, key) => asked.replaceAll(/\/+/g, '/') === key.replaceAll(/\/+/g, '/'),
    }),
  ),
  breaking(
    'delete-key-last-slash-lost',
    LITERAL,
    'removes slashes from the end of the key of a deletion',
    () => ({
      deletesKey: (asked, key) => asked.replace(/\/+$/, '') === key,
    }),
  ),
  breaking('delete-key-cut-at-hash', LITERAL, 'cuts the decoded key of a deletion at a number sign', () => ({
    deletesKey: (asked, key) => asked.split('#')[0] === key,
  })),
  breaking(
    'delete-key-index-too-short',
    'CACHE-DELETE-KEY-LONG',
    `compares the first ${INDEX} characters of a key in deletions`,
    () => ({ deletesKey: (asked, key) => asked.slice(0, INDEX) === key.slice(0, INDEX) }),
  ),
  breaking(
    'list-key-index-too-short',
    'CACHE-LIST-KEY-LONG',
    `compares the first ${INDEX} characters of a key in lists`,
    () => ({ matchesKey: (asked, key) => key.startsWith(asked.slice(0, INDEX)) }),
  ),
];

const isOfTag = (ref: string | undefined): boolean => ref?.startsWith('refs/tags/') ?? false;

const refs: CacheDeviation[] = [
  breaking(
    'list-ref-with-those-below',
    'CACHE-LIST-REF-EXACT',
    'lists the branches below the given one as well',
    () => ({
      matchesRef: (asked, ref) => ref === asked || ref.startsWith(`${asked}/`),
    }),
  ),
  breaking(
    'delete-ref-with-those-below',
    'CACHE-DELETE-REF-RESTRICTS',
    'deletes the caches of the branches below the given one as well',
    () => ({ deletesRef: (asked, ref) => !asked || ref === asked || ref.startsWith(`${asked}/`) }),
    ['CACHE-DELETE-REF-ANSWER'],
  ),
  breaking(
    'delete-ref-of-tag-ignored',
    'CACHE-DELETE-REF-RESTRICTS',
    'ignores the ref of a deletion where it is that of a tag',
    (original) => ({ deletesRef: (asked, ref) => isOfTag(asked) || original.deletesRef(asked, ref) }),
  ),
];

/** Changes entries wherever they are shown. */
const shown = (
  id: string,
  breaks: string,
  sentence: string,
  change: (cache: Cache) => object | undefined,
): CacheDeviation =>
  breaking(id, breaks, sentence, (original) => ({
    serialiseEntry: (cache, env) => ({ ...original.serialiseEntry(cache, env), ...change(cache) }),
  }));

const entries: CacheDeviation[] = [
  {
    id: 'deletion-by-ref-without-version',
    breaks: ['CACHE-ENTRY-VERSION'],
    sentence: 'leaves out the version in the answer to a deletion with ref',
    wrap: changingEntries(
      'delete-by-key',
      (query) => query.has('ref'),
      (entry) => delete entry.version,
    ),
  },
  {
    id: 'deletion-with-short-tag',
    breaks: ['CACHE-ENTRY-REF'],
    sentence: 'shortens the reference of a tag in the answer to a deletion',
    wrap: changingEntries(
      'delete-by-key',
      () => true,
      (entry) => {
        entry.ref = String(entry.ref).replace(/^refs\/tags\//, '');
      },
    ),
  },
  shown(
    'entry-never-used-without-access',
    'CACHE-ENTRY-LAST-ACCESSED-AT',
    'gives null as the last access of a cache that was not used since its creation',
    (cache) => (cache.lastAccessedAt === cache.createdAt ? { last_accessed_at: null } : undefined),
  ),
  shown(
    'entry-of-no-bytes-without-size',
    'CACHE-ENTRY-SIZE-IN-BYTES',
    'leaves out the size of a cache of no bytes',
    (cache) => (cache.sizeInBytes === 0 ? { size_in_bytes: undefined } : undefined),
  ),
  shown('entry-key-of-digits-as-number', 'CACHE-ENTRY-KEY', 'gives a key of digits as a number', ({ key }) =>
    /^[1-9]\d{0,15}$/.test(key) ? { key: Number(key) } : undefined,
  ),
];

export const nameAlikeDeviations: CacheDeviation[] = [...keys, ...refs, ...entries];
