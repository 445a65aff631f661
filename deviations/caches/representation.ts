/** What an entry of a list says of its cache (section 2). */
import type { Cache, CacheRules } from '../../reference/caches/index.ts';
import type { CacheEntry } from '../../schemas/caches/index.ts';
import { breaking, type CacheDeviation, type Changed } from './kit.ts';

const HOUR = 3_600_000;

/** Replaces fields of every entry. */
const entry =
  (change: (cache: Cache, entry: CacheEntry, timestamp: (ms: number) => string) => Partial<CacheEntry>) =>
  (original: CacheRules): Changed => ({
    serialiseEntry: (cache, env) => {
      const truth = original.serialiseEntry(cache, env);
      return { ...truth, ...change(cache, truth, env.rules.timestamp) };
    },
  });

const value = (field: string) => `CACHE-ENTRY-${field}-VALUE`;

export const representationDeviations: CacheDeviation[] = [
  breaking(
    'ref-always-main',
    value('REF'),
    'gives the default branch as every ref',
    entry(() => ({ ref: 'refs/heads/main' })),
    ['CACHE-LIST-REF-*'],
  ),
  breaking(
    'ref-of-pull-as-head',
    value('REF'),
    'gives the head of a pull request as its ref',
    entry(({ ref }) => ({ ref: ref.replace(/\/merge$/, '/head') })),
  ),
  breaking(
    'ref-in-lower-case',
    value('REF'),
    'gives refs in lower case',
    entry(({ ref }) => ({ ref: ref.toLowerCase() })),
  ),
  breaking(
    'key-in-lower-case',
    value('KEY'),
    'gives keys in lower case',
    entry(({ key }) => ({ key: key.toLowerCase() })),
  ),
  breaking(
    'key-encoded',
    value('KEY'),
    'gives keys percent-encoded',
    entry(({ key }) => ({ key: encodeURIComponent(key) })),
  ),
  breaking(
    'version-shortened',
    value('VERSION'),
    'gives the first 12 characters of a version',
    entry(({ version }) => ({ version: version.slice(0, 12) })),
  ),
  breaking(
    'version-upper-case',
    value('VERSION'),
    'gives versions in upper case',
    entry(({ version }) => ({ version: version.toUpperCase() })),
  ),
  breaking(
    'version-is-key',
    value('VERSION'),
    'gives the key as version',
    entry(({ key }) => ({ version: key })),
  ),
  breaking(
    'accessed-is-created',
    value('LAST-ACCESSED-AT'),
    'gives the time of creation as that of the last access',
    entry((_cache, { created_at }) => ({ last_accessed_at: created_at })),
  ),
  breaking(
    'accessed-in-local-time',
    value('LAST-ACCESSED-AT'),
    'gives local time as UTC for the last access',
    entry(({ lastAccessedAt }, _entry, timestamp) => ({
      last_accessed_at: timestamp(lastAccessedAt + HOUR),
    })),
  ),
  breaking(
    'accessed-to-the-minute',
    value('LAST-ACCESSED-AT'),
    'cuts the last access to the minute',
    entry(({ lastAccessedAt }, _entry, timestamp) => ({
      last_accessed_at: timestamp(lastAccessedAt - (lastAccessedAt % 60_000)),
    })),
  ),
  breaking(
    'created-is-accessed',
    value('CREATED-AT'),
    'gives the last access as the time of creation',
    entry((_cache, { last_accessed_at }) => ({ created_at: last_accessed_at })),
  ),
  breaking(
    'created-in-local-time',
    value('CREATED-AT'),
    'gives local time as UTC for the creation',
    entry(({ createdAt }, _entry, timestamp) => ({ created_at: timestamp(createdAt - 5 * HOUR) })),
  ),
  breaking(
    'created-to-the-day',
    value('CREATED-AT'),
    'cuts the creation to the day',
    entry(({ createdAt }, _entry, timestamp) => ({
      created_at: timestamp(createdAt - (createdAt % (24 * HOUR))),
    })),
  ),
  breaking(
    'size-in-kilobytes',
    value('SIZE-IN-BYTES'),
    'gives sizes in kilobytes',
    entry(({ sizeInBytes }) => ({ size_in_bytes: Math.ceil(sizeInBytes / 1024) })),
    ['CACHE-ENTRY-SIZE-LARGE'],
  ),
  breaking(
    'size-in-blocks',
    value('SIZE-IN-BYTES'),
    'rounds sizes up to blocks',
    entry(({ sizeInBytes }) => ({ size_in_bytes: Math.ceil(sizeInBytes / 4096) * 4096 })),
    ['CACHE-ENTRY-SIZE-LARGE'],
  ),
  breaking(
    'size-in-32-bits',
    'CACHE-ENTRY-SIZE-LARGE',
    'cuts sizes to 32 bits',
    entry(({ sizeInBytes }) => ({ size_in_bytes: sizeInBytes >>> 0 })),
  ),
  breaking(
    'size-in-31-bits',
    'CACHE-ENTRY-SIZE-LARGE',
    'ends sizes at 2147483647',
    entry(({ sizeInBytes }) => ({ size_in_bytes: Math.min(sizeInBytes, 2 ** 31 - 1) })),
  ),
  breaking(
    'size-as-float',
    'CACHE-ENTRY-SIZE-LARGE',
    'keeps sizes with 24 bits of precision',
    entry(({ sizeInBytes }) => ({ size_in_bytes: Math.fround(sizeInBytes) })),
  ),
  breaking(
    'id-of-the-key',
    'CACHE-ENTRY-ID-UNIQUE',
    'gives caches with the same key the same id',
    entry(({ key }) => ({
      id: [...key].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) as number)) % 2 ** 45, 7),
    })),
    ['*'],
  ),
  breaking(
    'id-in-few-bits',
    'CACHE-ENTRY-ID-UNIQUE',
    'gives ids in six bits',
    entry(({ id }) => ({ id: id % 64 })),
    ['*'],
  ),
];
