/** Reads cache lists (endpoint 16), and recognises entries even if one of their fields is wrong. */

import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { isJsonObject } from '../../../lib/model/json.ts';
import { Blocked } from '../../../lib/model/verdict.ts';
import { EntryMatcher } from '../judging/entry-matcher.ts';
import type { Entry, Known } from './cache.ts';
import { CACHES, CacheApi, type Query, type RequestOptions } from './client.ts';
import { withExactIds } from './exact-ids.ts';
import { MAX_PAGES, walkPages } from './pages.ts';
import { labelOf, type Place } from './places.ts';

/** One page of a list. */
export interface Page {
  answer: Answer;
  entries: Entry[];
  /** `total_count`; undefined if it is not an integer of 0 or more. */
  total: number | undefined;
}

const PER_PAGE = 100;

/** Returns the `total_count` of an answer, or undefined if it is not an integer of 0 or more. */
export function countIn(answer: Answer): number | undefined {
  const total = answer.at('/total_count');
  return isCount(total) ? total : undefined;
}

/** Whether a value is an integer of 0 or more, as all numbers of this API are except limits. */
export function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

/** Returns a query for a second page that is not empty, or undefined if `total_count` is too low for one. */
export function secondPageOf(first: Answer): { per_page: number; page: number } | undefined {
  const total = countIn(first);
  return total !== undefined && total > 1
    ? { per_page: Math.min(PER_PAGE, Math.ceil(total / 2)), page: 2 }
    : undefined;
}

/** Reads lists of caches. */
export class Lists {
  readonly api: CacheApi;

  readonly #session: Session;

  constructor(context: { session: Session }) {
    this.#session = context.session;
    this.api = new CacheApi(context);
  }

  /** Returns the page in an answer, or undefined if it has no array of objects as entries. */
  pageIn(answer: Answer): Page | undefined {
    const list = answer.ok ? answer.at('/actions_caches') : undefined;
    if (!Array.isArray(list) || !list.every(isJsonObject)) return undefined;
    return { answer, entries: withExactIds(list as Entry[], answer), total: countIn(answer) };
  }

  /** Returns the page in an answer. Throws `Blocked` if the answer is not a page (see `pageIn`). */
  expectPage(answer: Answer): Page {
    const page = this.pageIn(answer);
    if (page) return page;
    const what = answer.ok ? ' without an array `actions_caches` of entries' : '';
    const by = answer.ok ? 'CACHE-LIST-CACHES-FIELD' : 'CACHE-LIST-STATUS';
    throw new Blocked(`${answer.exchange.purpose}: answered ${answer.status}${what}`, by, answer.exchange);
  }

  /** Requests and returns one page. Throws `Blocked` if the answer is not a page. */
  async page(repository: Place, query: Query = {}, options?: RequestOptions): Promise<Page> {
    return this.expectPage(await this.api.list(repository, query, options));
  }

  /** Reads a list in pages, as `walkPages` says, to which `most` goes. */
  walk(repository: Place, query: Query = {}, perPage = PER_PAGE, most?: number): Promise<Page[]> {
    const list = {
      name: `${labelOf(repository)} ${JSON.stringify({ ...query, perPage })}`,
      perPage,
      request: (page: number) => this.api.list(repository, { ...query, per_page: perPage, page }),
      pageIn: (answer: Answer) => this.pageIn(answer),
      expectPage: (answer: Answer) => this.expectPage(answer),
      entriesIn: ({ entries }: Page) => entries.map((entry) => JSON.stringify(entry)),
      endless: `the ${labelOf(repository)} has more than ${MAX_PAGES * PER_PAGE} caches; name one with fewer`,
    };
    // A cache that is made or deleted meanwhile would move other caches to another page.
    return this.#session.lockOf(CACHES).still(() => walkPages(this.#session, list, most));
  }

  /** Returns all entries of a repository. Throws `Blocked` if the list cannot be read. */
  async everything(repository: Place): Promise<Entry[]> {
    return (await this.walk(repository)).flatMap((page) => page.entries);
  }

  /** Returns the sum of the listed sizes of a repository; NaN if one is missing. Throws `Blocked` like `everything`. */
  async bytesIn(repository: Place): Promise<number> {
    const sizes = (await this.everything(repository)).map((entry) => Number(entry.size_in_bytes));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /**
   * Returns the caches of `known` that are listed, the answer with the last page, as evidence, and how many
   * entries there are in all.
   */
  async present(
    repository: Place,
    known: readonly Known[],
    query: Query = {},
  ): Promise<{ here: Set<Known>; answer: Answer; listed: number }> {
    const entryMatcher = new EntryMatcher(known);
    const pages = await this.walk(repository, query);
    const here = new Set<Known>();
    const entries = pages.flatMap((page) => page.entries);
    for (const entry of entries) {
      const match = entryMatcher.find(entry);
      if (match) here.add(match);
    }
    return { here, answer: pages.at(-1)!.answer, listed: entries.length };
  }
}
