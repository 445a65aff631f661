/** Compares the values of entries with those of the known caches that they show. */
import type { CheckContext } from '../../../lib/check/context.ts';
import { isId } from '../api/exact-ids.ts';
import type { Page } from '../api/lists.ts';
import { type EntryMatcher, fieldOf } from './entry-matcher.ts';
import { schemas } from './schemas.ts';

/** The requirements about the values of fields, and those fields. */
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
 * Fails if an entry has another value than the known cache that it shows. A value that does not even fit the
 * schema is left to the requirement about the field.
 *
 * @returns how many entries were compared
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
      // Others' caches are known as some list showed them, perhaps without this field.
      if (known?.[field] === undefined || (field === 'id' ? !isId(entry.id) : misfits)) continue;
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
