/** Wrong ids, references, keys and versions in the entries of a list (section 2). */
import { type FalseEntry, falseEntry } from './entries-kit.ts';
import type { CacheDeviation } from './kit.ts';

const refs: FalseEntry[] = [
  [
    'ref-always-main',
    'REF-VALUE',
    'gives the default branch as every ref',
    () => ({ ref: 'refs/heads/main' }),
    ['CACHE-LIST-REF-*'],
  ],
  [
    'ref-of-pull-as-head',
    'REF-VALUE',
    'gives the head of a pull request as its ref',
    ({ ref }) => ({ ref: ref.replace(/\/merge$/, '/head') }),
  ],
  ['ref-in-lower-case', 'REF-VALUE', 'gives refs in lower case', ({ ref }) => ({ ref: ref.toLowerCase() })],
  [
    'entry-ref-main',
    'REF-VALUE',
    'reports refs/heads/main for every cache',
    () => ({ ref: 'refs/heads/main' }),
  ],
  [
    'entry-ref-pull-as-branch',
    'REF-VALUE',
    'gives a pull request as a branch',
    (_cache, { ref }) => ({ ref: ref.replace('refs/pull/', 'refs/heads/') }),
  ],
  [
    'entry-ref-lower-case',
    'REF-VALUE',
    'gives references in lower case',
    (_cache, { ref }) => ({ ref: ref.toLowerCase() }),
  ],
];

const keys: FalseEntry[] = [
  ['key-in-lower-case', 'KEY-VALUE', 'gives keys in lower case', ({ key }) => ({ key: key.toLowerCase() })],
  ['key-encoded', 'KEY-VALUE', 'gives keys percent-encoded', ({ key }) => ({ key: encodeURIComponent(key) })],
  [
    'entry-key-lower-case',
    'KEY-VALUE',
    'gives keys in lower case',
    (_cache, { key }) => ({ key: key.toLowerCase() }),
  ],
  [
    'entry-key-encoded',
    'KEY-VALUE',
    'gives keys percent-encoded',
    (_cache, { key }) => ({ key: encodeURIComponent(key) }),
  ],
  [
    'entry-key-cut',
    'KEY-VALUE',
    'truncates keys to 16 characters',
    (_cache, { key }) => ({ key: key.slice(0, 16) }),
    ['CACHE-DELETE-KEY-REQUIRED'],
  ],
];

const versions: FalseEntry[] = [
  [
    'version-shortened',
    'VERSION-VALUE',
    'gives the first 12 characters of a version',
    ({ version }) => ({ version: version.slice(0, 12) }),
  ],
  [
    'version-upper-case',
    'VERSION-VALUE',
    'gives versions in upper case',
    ({ version }) => ({ version: version.toUpperCase() }),
  ],
  ['version-is-key', 'VERSION-VALUE', 'gives the key as version', ({ key }) => ({ version: key })],
  [
    'entry-version-cut',
    'VERSION-VALUE',
    'truncates versions to eight characters',
    (_cache, { version }) => ({ version: version.slice(0, 8) }),
  ],
  [
    'entry-version-of-key',
    'VERSION-VALUE',
    'gives the key as version',
    (_cache, { key }) => ({ version: key }),
    ['CACHE-ENTRY-ID-UNIQUE'],
  ],
];

/** An id that is not unique is not the right one either, so these break both requirements. */
const ids: FalseEntry[] = [
  [
    'id-of-the-key',
    ['ID-UNIQUE', 'ID-VALUE'],
    'gives caches with the same key the same id',
    ({ key }) => ({
      id: [...key].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) as number)) % 2 ** 45, 7),
    }),
    ['*'],
  ],
  [
    'id-in-few-bits',
    ['ID-UNIQUE', 'ID-VALUE'],
    'truncates ids to six bits',
    ({ id }) => ({ id: id % 64 }),
    ['*'],
  ],
  [
    'entry-id-32-bits',
    ['ID-UNIQUE', 'ID-VALUE'],
    'truncates ids to four bits',
    ({ id }) => ({ id: id % 16 }),
  ],
  [
    'entry-id-of-key',
    ['ID-UNIQUE', 'ID-VALUE'],
    'derives the id from the key',
    ({ key }) => ({ id: [...key].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) >>> 0, 7) }),
  ],
];

export const entryNameDeviations: CacheDeviation[] = [...refs, ...keys, ...versions, ...ids].map(falseEntry);
