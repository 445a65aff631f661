/** Reading cache lists (endpoint 16): page by page, entries told apart although one field may be wrong. */
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { Blocked } from '../../../lib/model/verdict.ts';
import { EntryMatcher } from '../judging/entry-matcher.ts';
import type { Entry, Known } from './cache.ts';
import { CACHES, CacheApi, type Query, type RequestOptions } from './client.ts';
import { withExactIds } from './exact-ids.ts';
import { labelOf, type Place } from './places.ts';

/** One page of a list. */
export interface Page {
  answer: Answer;
  entries: Entry[];
  /** `total_count`, where it is an integer. */
  total: number | undefined;
}

/** More pages than this are not walked. */
const MAX_PAGES = 60;
const PER_PAGE = 100;

/** `total_count` of an answer, where it is one. */
export function countIn(answer: Answer): number | undefined {
  const total = answer.at('/total_count');
  return isCount(total) ? total : undefined;
}

/** Whether a value is an integer of 0 or more, as all numbers of this API but limits are. */
export function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

/** How to ask for a second page that has something on it; undefined where the first answer counts too few. */
export function secondPageOf(first: Answer): { per_page: number; page: number } | undefined {
  const total = countIn(first);
  return total !== undefined && total > 1
    ? { per_page: Math.min(PER_PAGE, Math.ceil(total / 2)), page: 2 }
    : undefined;
}

const isObject = (value: unknown): boolean =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Reads lists of caches. */
export class Lists {
  readonly api: CacheApi;

  readonly #session: Session;

  constructor(context: { session: Session }) {
    this.#session = context.session;
    this.api = new CacheApi(context);
  }

  /** The page in an answer; undefined when it is none, or has what is no entry. */
  pageIn(answer: Answer): Page | undefined {
    const list = answer.ok ? answer.at('/actions_caches') : undefined;
    if (!Array.isArray(list) || !list.every(isObject)) return undefined;
    return { answer, entries: withExactIds(list as Entry[], answer), total: countIn(answer) };
  }

  /** The page in an answer. Throws `Blocked` when it is none. */
  expectPage(answer: Answer): Page {
    const page = this.pageIn(answer);
    if (page) return page;
    const what = answer.ok ? ' without an array `actions_caches` of entries' : '';
    const by = answer.ok ? 'CACHE-LIST-CACHES-FIELD' : 'CACHE-LIST-STATUS';
    throw new Blocked(`${answer.exchange.purpose}: answered ${answer.status}${what}`, by);
  }

  /** One page. Throws `Blocked` when there is none. */
  async page(repository: Place, query: Query = {}, options?: RequestOptions): Promise<Page> {
    return this.expectPage(await this.api.list(repository, query, options));
  }

  /**
   * Page after page until one is not full and `total_count` is reached, or one brings nothing new. Follows
   * what comes, so that a wrong page size or a wrong count alone leaves nothing out.
   *
   * @param most pages to read; without it so many that a list which never ends is noticed, and then `Blocked`
   */
  walk(repository: Place, query: Query = {}, perPage = PER_PAGE, most?: number): Promise<Page[]> {
    // What comes or goes meanwhile moves others from page to page.
    return this.#session.gate(CACHES).still(() => this.#walk(repository, query, perPage, most));
  }

  async #walk(repository: Place, query: Query, perPage: number, most: number | undefined): Promise<Page[]> {
    const pages: Page[] = [];
    const seen = new Set<string>();
    for (let n = 1; n <= (most ?? MAX_PAGES); n += 1) {
      const answer = await this.api.list(repository, { ...query, per_page: perPage, page: n });
      // What a page past the end is answered with is left open.
      const page = n === 1 ? this.expectPage(answer) : this.pageIn(answer);
      if (!page) return pages;
      const before = seen.size;
      for (const entry of page.entries) seen.add(JSON.stringify(entry));
      if (n > 1 && seen.size === before) return pages;
      pages.push(page);
      if (page.entries.length < perPage && seen.size >= (page.total ?? 0)) return pages;
    }
    if (most !== undefined) return pages;
    throw new Blocked(
      `the ${labelOf(repository)} has more than ${MAX_PAGES * PER_PAGE} caches; name one with fewer`,
    );
  }

  /** Every entry that is there. Throws `Blocked` when the list cannot be read. */
  async everything(repository: Place): Promise<Entry[]> {
    return (await this.walk(repository)).flatMap((page) => page.entries);
  }

  /** Those of `known` that are there, and the page that shows it (the last one). */
  async present(repository: Place, known: readonly Known[]): Promise<{ here: Set<Known>; answer: Answer }> {
    const entryMatcher = new EntryMatcher(known);
    const pages = await this.walk(repository);
    const here = new Set<Known>();
    for (const entry of pages.flatMap((page) => page.entries)) {
      const match = entryMatcher.find(entry);
      if (match) here.add(match);
    }
    return { here, answer: pages.at(-1)!.answer };
  }
}
