/** The values of entries, held against the caches that they are. */
import type { CheckContext } from '../../../lib/check/context.ts';
import { isId } from '../api/exact-ids.ts';
import type { Page } from '../api/lists.ts';
import { type EntryMatcher, fieldOf } from './entry-matcher.ts';
import { schemas } from './schemas.ts';

/** The fields that have a requirement about their value. */
export const VALUES = {
  'CACHE-ENTRY-ID-VALUE': 'id',
  'CACHE-ENTRY-REF-VALUE': 'ref',
  'CACHE-ENTRY-KEY-VALUE': 'key',
  'CACHE-ENTRY-VERSION-VALUE': 'version',
  'CACHE-ENTRY-LAST-ACCESSED-AT-VALUE': 'last_accessed_at',
  'CACHE-ENTRY-CREATED-AT-VALUE': 'created_at',
  'CACHE-ENTRY-SIZE-IN-BYTES-VALUE': 'size_in_bytes',
} as const;

/**
 * Fails where an entry has another value than the cache that it is. One that does not even fit the schema is judged by
 * the requirement about the field.
 *
 * @returns how many were compared
 */
export function compareValues(
  { expect }: CheckContext,
  field: (typeof VALUES)[keyof typeof VALUES],
  entryMatcher: EntryMatcher,
  pages: readonly Pick<Page, 'answer' | 'entries'>[],
): number {
  let seen = 0;
  for (const { answer, entries } of pages) {
    for (const [i, entry] of entries.entries()) {
      const known = entryMatcher.find(entry);
      const misfits = schemas.check('CacheEntry', entry).some(({ pointer }) => pointer === `/${field}`);
      if (!known || (field === 'id' ? !isId(entry.id) : misfits)) continue;
      seen += 1;
      expect.equal(
        fieldOf(entry, field),
        fieldOf(known, field, entry),
        `${field} of the cache ${known.key}`,
        {
          answer,
          at: `/actions_caches/${i}/${field}`,
          expected: String(known[field]),
          found: String(entry[field]),
        },
      );
    }
  }
  return seen;
}
