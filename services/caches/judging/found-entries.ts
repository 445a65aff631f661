/** Which known caches the pages of a list have. */

import type { Known } from '../api/cache.ts';
import type { Page } from '../api/lists.ts';
import { EntryMatcher } from './entry-matcher.ts';

/** See `foundIn`. */
export interface Found {
  /** In the order in which they are listed; one that is listed twice is there twice. */
  known: Known[];
  /** How many entries are none of them. */
  others: number;
  pages: readonly Page[];
}

/** The known caches that are on the pages. */
export function foundIn(pages: readonly Page[], caches: readonly Known[]): Found {
  const entryMatcher = new EntryMatcher(caches);
  const matches = pages.flatMap(({ entries }) => entries.map((entry) => entryMatcher.find(entry)));
  const known = matches.filter((match) => match !== undefined);
  return { known, others: matches.length - known.length, pages };
}
