/** Reads lists in pages (endpoints 10 and 16). */
import { PagesAhead } from '../../../lib/check/pages-ahead.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { Blocked } from '../../../lib/model/verdict.ts';

/** The most pages that are read of one list. */
export const MAX_PAGES = 60;

/** A list to read in pages. */
interface PagedList<P extends { total: number | undefined }> {
  /** Its name, which no other list of the run has. */
  name: string;
  perPage: number;
  /** Requests one page. */
  request: (page: number) => Promise<Answer>;
  /** Returns the page in an answer, or undefined if there is none. */
  pageIn: (answer: Answer) => P | undefined;
  /** Returns the page in an answer. Throws `Blocked` if there is none. */
  expectPage: (answer: Answer) => P;
  /** Returns a text for each entry of a page, by which it is told apart from the others. */
  entriesIn: (page: P) => string[];
  /** What is wrong with a list that never ends. */
  endless: string;
}

/**
 * Reads pages until one is not full and as many entries as `total_count` were seen, or until a page brings no
 * new entry, or pages overlap. The first two conditions are needed together so that no entry is missed on a
 * server that gets only its page size or only its count wrong. Throws `Blocked` if a page that should have
 * further entries cannot be read.
 *
 * @param most the most pages to read. Without it, reading stops at `MAX_PAGES` and throws `Blocked`, since the
 *   list may never end
 */
export async function walkPages<P extends { total: number | undefined }>(
  session: Session,
  list: PagedList<P>,
  most?: number,
): Promise<P[]> {
  const pages: P[] = [];
  const seen = new Set<string>();
  let shown = 0;
  const ahead = new PagesAhead(session, list.name, list.request);
  await ahead.begin(most ?? MAX_PAGES);
  for (let n = 1; n <= (most ?? MAX_PAGES); n += 1) {
    const answer = await ahead.at(n);
    // The specification leaves open how a page past the end is answered.
    const isMore = n === 1 || (answer.ok && seen.size < (pages[0]!.total ?? 0));
    const page = isMore ? list.expectPage(answer) : list.pageIn(answer);
    if (!page) return pages;
    const before = seen.size;
    const entries = list.entriesIn(page);
    for (const entry of entries) seen.add(entry);
    shown += entries.length;
    if (n > 1 && seen.size === before) return pages;
    pages.push(page);
    const total = page.total ?? 0;
    if (entries.length < list.perPage && seen.size >= total) return pages;
    // Where pages overlap, they may end only after hundreds of them. Entries that others make meanwhile move few
    // entries to the next page.
    if (shown > total + list.perPage && shown - seen.size >= list.perPage) return pages;
  }
  if (most !== undefined) return pages;
  throw new Blocked(list.endless);
}
