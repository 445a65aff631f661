/** Whether pages divide a list: every cache on one of them, and on no other. */
import { perRun } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Known } from '../api/cache.ts';
import type { Lists, Page } from '../api/lists.ts';
import type { ListedRepository } from '../fixtures/listed-repository.ts';
import type { EntryMatcher } from './entry-matcher.ts';

/** What is wrong with pages that ought to hold each of `wanted` once; undefined when nothing is. */
export function faultOf(
  pages: readonly Page[],
  wanted: readonly Known[],
  entryMatcher: EntryMatcher,
): string | undefined {
  const left = new Set(wanted);
  for (const [i, page] of pages.entries()) {
    const here = new Set<Known>();
    // Whatever comes after everything has come is past the end, which is left open.
    if (left.size === 0) return undefined;
    for (const entry of page.entries) {
      const cache = entryMatcher.find(entry);
      if (!cache) continue;
      if (here.has(cache)) return `page ${i + 1} has the cache ${cache.key} twice`;
      here.add(cache);
      if (wanted.includes(cache) && !left.delete(cache))
        return `page ${i + 1} has the cache ${cache.key}, which was on an earlier page`;
    }
  }
  const [missing] = left;
  return missing && `no page has the cache ${missing.key}`;
}

/** A page size that does not divide a number, so that the last page is not full. */
const unevenFor = (total: number) => [40, 37, 43].find((size) => total % size !== 0)!;

/** The list without filters in several pages, and what is wrong with them. */
export const several = perRun(
  'caches: several pages',
  async ({
    listedRepository,
    lists,
  }: {
    session: Session;
    listedRepository: ListedRepository;
    lists: Lists;
  }): Promise<{ pages: Page[]; fault?: string }> => {
    const { repository, known, entryMatcher } = await listedRepository.holding(3);
    const size = known.length > 80 ? unevenFor(known.length) : 2;
    const pages = await lists.walk(repository, {}, size, Math.ceil(known.length / size) + 1);
    const fault = faultOf(pages, known, entryMatcher);
    return { pages, ...(fault !== undefined && { fault }) };
  },
);
