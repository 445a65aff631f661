/** Which known caches the pages of a list show. */

import type { Known, Seeded } from '../api/cache.ts';
import type { Page } from '../api/lists.ts';
import { EntryMatcher } from './entry-matcher.ts';

/** See `foundIn`. */
export interface Found {
  /** The known caches in the order in which they are listed. One that is listed twice occurs twice. */
  known: Known[];
  /** How many entries show none of the known caches. */
  others: number;
  pages: readonly Page[];
}

/** Returns which of the given caches the pages show. */
export function foundIn(pages: readonly Page[], caches: readonly Known[]): Found {
  const entryMatcher = new EntryMatcher(caches);
  const matches = pages.flatMap(({ entries }) => entries.map((entry) => entryMatcher.find(entry)));
  const known = matches.filter((match) => match !== undefined);
  return { known, others: matches.length - known.length, pages };
}

/**
 * Returns the caches that the pages list with exactly the key that they were made with, or with exactly the
 * reference.
 */
export function exactly(
  pages: readonly Page[],
  made: readonly Seeded[],
  field: 'key' | 'ref' = 'key',
): Set<Known> {
  const entryMatcher = new EntryMatcher<Known>(made);
  const here = new Set<Known>();
  for (const entry of pages.flatMap(({ entries }) => entries)) {
    const known = entryMatcher.find(entry);
    if (known && entry[field] === known[field]) here.add(known);
  }
  return here;
}
