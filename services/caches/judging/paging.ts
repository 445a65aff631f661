/** Judges whether pages divide a list: every cache has to be on exactly one of them. */
import { perRun } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Known } from '../api/cache.ts';
import type { Lists, Page } from '../api/lists.ts';
import type { ListedRepository } from '../fixtures/listed-repository.ts';
import type { EntryMatcher } from './entry-matcher.ts';

/** Returns a sentence that says why the pages do not hold each of `wanted` once, or undefined if they do. */
export function faultOf(
  pages: readonly Page[],
  wanted: readonly Known[],
  entryMatcher: EntryMatcher,
): string | undefined {
  const left = new Set(wanted);
  for (const [i, page] of pages.entries()) {
    const here = new Set<Known>();
    // Pages after the one that completes the list are past the end, and the specification leaves them open.
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

/** Returns a page size that does not divide `total`, so that the last page is not full. */
const unevenFor = (total: number) => [40, 37, 43].find((size) => total % size !== 0)!;

/** Returns the largest page size that divides `total`, which is 2 or more, into several full pages. */
export function evenFor(total: number): number {
  let size = Math.min(100, Math.floor(total / 2));
  while (total % size !== 0) size -= 1;
  return size;
}

/** Reads the unfiltered list in several pages, and returns them and what is wrong with them, if anything. */
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
    const { repository, known, entryMatcher, foreign } = await listedRepository.holding(3);
    const size = known.length > 80 ? unevenFor(known.length) : 2;
    // There are more caches than those known if others have some whose entries are malformed, or checks made some.
    const most = foreign === 'malformed' ? undefined : Math.ceil((await listedRepository.size()) / size) + 1;
    const pages = await lists.walk(repository, {}, size, most);
    const fault = faultOf(pages, known, entryMatcher);
    return { pages, ...(fault !== undefined && { fault }) };
  },
);
