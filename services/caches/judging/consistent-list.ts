/** Whether a list can be relied on for which caches others have in a repository. */
import { Blocked } from '../../../lib/model/verdict.ts';
import type { Entry, Known } from '../api/cache.ts';
import { isId } from '../api/exact-ids.ts';
import type { Page } from '../api/lists.ts';
import { EntryMatcher } from './entry-matcher.ts';
import { foundIn } from './found-entries.ts';

export const MALFORMED = 'what is in the repository cannot be told: fields of listed caches are amiss';

/** The caches that a list ought to show, and those of the suite that it ought not to. */
interface Content {
  known: readonly Known[];
  foreign: boolean | 'malformed';
  few: readonly Known[];
  namesake: readonly Known[];
}

/**
 * Throws `Blocked` if a list, from which alone the caches of others are known, contradicts itself or is not that
 * of the repository's caches.
 */
export function requireConsistent({ known, foreign, few, namesake }: Content, pages: readonly Page[]): void {
  if (foreign === 'malformed') throw new Blocked(MALFORMED);
  const { length } = distinct(pages.flatMap(({ entries }) => entries));
  const total = pages[0]?.total ?? length;
  const unclear = (why: string, by: string): never => {
    throw new Blocked(`which caches others have in the repository cannot be told: the list ${why}`, by);
  };
  if (total !== length) unclear(`has ${length} entries, and total_count is ${total}`, 'CACHE-LIST-TOTAL');
  if (new Set(foundIn(pages, known).known).size < known.length)
    unclear('leaves out other caches', 'CACHE-LIST-COMPLETE');
  const entryMatcher = new EntryMatcher(known);
  const isRight = (entry: Entry) => (entryMatcher.find(entry) ?? entry).size_in_bytes === entry.size_in_bytes;
  if (!pages.every(({ entries }) => entries.every(isRight)))
    unclear('shows wrong sizes', 'CACHE-ENTRY-SIZE-IN-BYTES-VALUE');
  // An entry may be like a cache elsewhere, and still more like one that is here.
  const elsewhere = new Set([...few, ...namesake]);
  if (foundIn(pages, [...known, ...elsewhere]).known.some((cache) => elsewhere.has(cache)))
    unclear('shows those of other repositories', 'CACHE-LIST-SCOPE-REPO');
}

/** Returns the entries with valid fields. The others are left to the checks of fields. */
export function wellFormed(entries: readonly Entry[]): Known[] {
  return entries.filter(
    (entry): entry is Known =>
      isId(entry.id) &&
      Number.isInteger(entry.size_in_bytes) &&
      typeof entry.key === 'string' &&
      typeof entry.ref === 'string',
  );
}

/** Returns the entries without those that are the same as an earlier one. */
export function distinct(entries: readonly Entry[]): Entry[] {
  return [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()];
}
