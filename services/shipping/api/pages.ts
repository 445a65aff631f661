/** Pages of the list (4.1): reading one, counting them, walking through all of them. */

import { perSession } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { doubtOf } from '../../../lib/http/doubt.ts';
import { isJsonObject } from '../../../lib/model/json.ts';
import { Blocked } from '../../../lib/model/verdict.ts';
import type { AddressTemplate } from '../../../schemas/shipping/index.ts';
import { idOf } from './address-answers.ts';

export type Query = Record<string, string | number>;

/** Something that lists addresses, such as `AddressList`. */
export interface Lister {
  /** Lists with exactly these query parameters. */
  list(query: Query, purpose: string): Promise<Answer>;
  /** Returns the number of the first page. */
  base(): Promise<number>;
}

/** One page of the list. */
export interface Page {
  answer: Answer;
  items: AddressTemplate[];
  meta: Record<string, unknown>;
}

/** A walk through the whole collection. */
export interface Walk {
  /** The pages that showed something new, first to last. */
  pages: Page[];
  /** The answer that ended the walk because it showed nothing new; `undefined` where there was none. */
  end: Answer | undefined;
  /** True when that answer was a page of addresses that earlier pages had shown already. */
  repeated: boolean;
}

/** More pages than this are not walked. */
export const MAX_PAGES = 500;
/** Of a list with more pages than this, only the first and last pages are read where that suffices. */
export const LONG_LIST = 20;
/** How many pages make up each end of a long list. */
const END_PAGES = 4;

/** Returns the page in an answer. Throws `Blocked` when the answer is no success or has no array `data`. */
export function pageOf(answer: Answer): Page {
  const data = answer.at('/data');
  if (!answer.ok || !Array.isArray(data)) {
    throw new Blocked(
      `list answered ${answer.status}${answer.ok ? ' without an array `data`' : ''}`,
      answer.ok ? 'ADDR-LIST-DATA' : 'ADDR-LIST-STATUS',
      answer.exchange,
    );
  }
  if (!data.every(isJsonObject)) {
    throw new Blocked('an item of the list is not an object', 'ADDR-LIST-DATA');
  }
  const meta = answer.at('/meta');
  return {
    answer,
    items: data as AddressTemplate[],
    meta: meta !== null && typeof meta === 'object' ? (meta as Record<string, unknown>) : {},
  };
}

/** The number of the first page, once it is known for sure. */
const baseIn = perSession((): { base?: number } => ({}));

/**
 * Returns the number of the first page. The specification does not state it: it is taken to be 1, unless the
 * target plainly counts from 0, that is, `page=0` shows what is shown without `page`, and `page=1` shows
 * something else.
 */
export async function pageBase(book: Pick<Lister, 'list'>, session: Session): Promise<number> {
  const known = baseIn(session);
  if (known.base !== undefined) return known.base;
  const first = await book.list({ per_page: 2 }, 'list without a page number');
  const zero = await book.list({ page: 0, per_page: 1 }, 'list page 0');
  const one = await book.list({ page: 1, per_page: 1 }, 'list page 1');
  const id = firstId(first);
  const isAnother = one.ok && Array.isArray(one.at('/data')) && firstId(one) !== id;
  const base = id !== undefined && firstId(zero) === id && isAnother ? 0 : 1;
  // With fewer than two addresses the number is not certain, since a page after the last may show anything.
  // Nor is it where a gateway may have given one of the answers.
  const items = first.at('/data');
  const isSure = [first, zero, one].every(({ exchange }) => doubtOf(exchange) === undefined);
  if (isSure && first.ok && Array.isArray(items) && items.length > 1) known.base = base;
  return base;
}

/** Returns the id of the first address on a page; `undefined` where there is none. */
function firstId(answer: Answer): string | undefined {
  const data = answer.at('/data');
  return answer.ok && Array.isArray(data) ? idOf(data[0]) : undefined;
}

/**
 * Requests page after page until one is short and says that it is the last, or shows nothing new. Goes by the
 * items and not by the meta, so that wrong arithmetic there does not mislead it. What comes after the last
 * page is not specified, so any answer there ends the walk.
 *
 * @param perPage between 1 and 20
 * @param isEnough called with each page: the walk ends with the first one for which it holds
 * @param from how many pages to skip at the start
 * @throws Blocked when there is no first page, or when there are too many
 */
export async function walk(
  book: Lister,
  perPage: number,
  isEnough: (page: Page) => boolean = () => false,
  from = 0,
): Promise<Walk> {
  const base = (await book.base()) + from;
  const seen = new Set<string>();
  const pages: Page[] = [];
  for (let n = 0; n < MAX_PAGES; n += 1) {
    const answer = await book.list({ page: base + n, per_page: perPage }, `list page ${base + n}`);
    if (from + n > 0 && (!answer.ok || !Array.isArray(answer.at('/data'))))
      return { pages, end: answer, repeated: false };
    const page = pageOf(answer);
    const fresh = page.items.filter((item) => !seen.has(keyOf(item)));
    for (const item of page.items) seen.add(keyOf(item));
    if (fresh.length === 0) return { pages, end: answer, repeated: page.items.length > 0 };
    pages.push(page);
    if (isEnough(page)) return { pages, end: undefined, repeated: false };
    if (page.items.length < perPage && (page.meta.next_page ?? null) === null)
      return { pages, end: undefined, repeated: false };
  }
  throw new Blocked(`the address book has more than ${MAX_PAGES} pages; use an account with fewer addresses`);
}

/**
 * Returns the first and the last pages of a long list.
 *
 * @param count how many pages it had when it was last walked through
 * @returns `undefined` where it no longer has that many
 * @throws Blocked when there is no first page
 */
export async function walkEnds(book: Lister, perPage: number, count: number): Promise<Walk | undefined> {
  let left = END_PAGES;
  const start = await walk(book, perPage, () => --left === 0);
  const end = await walk(book, perPage, undefined, count - END_PAGES);
  return left > 0 || end.pages.length === 0 ? undefined : { ...end, pages: [...start.pages, ...end.pages] };
}

/** Returns what identifies an item of the list: its id, or, where it has none, all of its content. */
export function keyOf(item: unknown): string {
  return idOf(item)?.toLowerCase() ?? JSON.stringify(item);
}
