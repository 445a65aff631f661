/** Listing addresses (4.1): single pages, their number, and walks through all of them. */
import { PagesAhead } from '../../../lib/check/pages-ahead.ts';
import { perRunOf, perSession } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { Blocked } from '../../../lib/model/verdict.ts';
import type { AddressTemplate } from '../../../schemas/shipping/index.ts';
import { type AddressCall, AddressCalls } from './address-calls.ts';
import type { AccessToken } from './oauth.ts';
import {
  type Lister,
  LONG_LIST,
  MAX_PAGES,
  type Page,
  pageBase,
  pageOf,
  type Query,
  type Walk,
  walk,
  walkEnds,
} from './pages.ts';

/** The name of the collection that lists show. */
export const ADDRESSES = 'shipping: addresses';

/** The largest page (4.1). */
const MOST_PER_PAGE = 20;

/** Whether an item of the list is one that is looked for. */
type Wanted = (item: AddressTemplate) => boolean;

/** The number of pages, if known, and whether the run's addresses are at the ends of the list. */
const extentIn = perSession(() => ({ pages: 0, ownAtEnds: true }));

/** The list of addresses, as one token sees it. */
export class AddressList {
  readonly session: Session;
  readonly #as: AccessToken | undefined;

  /** @param as the token that calls use unless they say otherwise; by default one of the run's pool */
  constructor(session: Session, as?: AccessToken) {
    this.session = session;
    this.#as = as;
  }

  /** The token that calls use unless they name another. */
  protected get as(): AccessToken | undefined {
    return this.#as;
  }

  /** Sends one call; see `AddressCalls`. */
  call(call: AddressCall): Promise<Answer> {
    return new AddressCalls(this.session).send({ ...(this.#as && { auth: this.#as }), ...call });
  }

  /** Lists with exactly these query parameters. Returns the answer, whatever it is. */
  list(query: Query = {}, purpose = 'list addresses', options: Partial<AddressCall> = {}): Promise<Answer> {
    const entries = Object.entries(query).map(([k, v]): [string, string] => [k, String(v)]);
    const search = new URLSearchParams(entries).toString();
    return this.call({ method: 'GET', path: search ? `?${search}` : '', purpose, ...options });
  }

  /** Returns one page. Throws `Blocked` when the answer has no array `data`. */
  async page(query: Query = {}, purpose?: string): Promise<Page> {
    return pageOf(await this.list(query, purpose));
  }

  /** Returns the number of the first page: 1, unless the target plainly counts from 0 (a silence). */
  base(): Promise<number> {
    return this.#still((book) => book.base());
  }

  /** Returns the size of pages to walk in: 20, or, where that is refused, 10. */
  readonly pageSize = perRunOf(
    this,
    'shipping: page size',
    async (): Promise<number> =>
      (await this.list({ per_page: MOST_PER_PAGE }, 'list pages of 20')).ok ? MOST_PER_PAGE : 10,
  );

  /** Walks through the whole collection, or until a page for which `isEnough` holds; see `walk`. */
  async walk(perPage?: number, isEnough?: (page: Page) => boolean): Promise<Walk> {
    const size = await this.pageSize();
    const walked = await this.#still(async (book) =>
      walk(isEnough ? book : await this.#ahead(book, perPage ?? size), perPage ?? size, isEnough),
    );
    if (isEnough === undefined && (perPage ?? size) === size) this.#extent.pages = walked.pages.length;
    return walked;
  }

  /**
   * Does work that reads the list, while no address is created or deleted: that would move addresses between
   * pages.
   */
  #still<T>(work: (book: Lister) => Promise<T>): Promise<T> {
    const list: Lister['list'] = (query, purpose) => this.list(query, purpose);
    const book: Lister = { list, base: () => pageBase({ list }, this.session) };
    return this.session.lockOf(ADDRESSES).still(() => work(book));
  }

  /** Returns the list with pages that are requested together; see `PagesAhead`. */
  async #ahead(book: Lister, size: number): Promise<Lister> {
    // Requests with one token are sent one after the other.
    if (this.#as) return book;
    const base = await book.base();
    const pages = new PagesAhead(this.session, `addresses by ${size}`, (nth) =>
      book.list({ page: base + nth - 1, per_page: size }, `list page ${base + nth - 1}`),
    );
    await pages.begin(MAX_PAGES);
    return { ...book, list: ({ page }) => pages.at(Number(page) - base + 1) };
  }

  get #extent() {
    return extentIn(this.session);
  }

  /** Returns every address of the whole collection: those of the first page where these are all that it counts. */
  async items(): Promise<AddressTemplate[]> {
    const first = await this.list({ per_page: MOST_PER_PAGE }, 'list all addresses');
    const data = first.at('/data');
    const isAll = Array.isArray(data) && data.length < MOST_PER_PAGE;
    if (first.ok && isAll && first.at('/meta/total_count') === data.length) return pageOf(first).items;
    return itemsOf(await this.walk());
  }

  /**
   * Returns the pages on which the addresses of this run are found: all pages, or, of a very long list, only
   * its ends, if those show every address that is wanted. For statements about each item, and about addresses
   * of the run.
   */
  async look(...wanted: Wanted[]): Promise<Walk> {
    const shows = (walked: Walk) => wanted.every((each) => itemsOf(walked).some(safely(each)));
    const ends = await this.#ends();
    if (ends !== undefined && shows(ends)) return ends;
    const whole = await this.walk();
    if (ends !== undefined && shows(whole)) this.#extent.ownAtEnds = false;
    return whole;
  }

  /**
   * Like `look`, but of a list that is not long only the pages up to the one on which the last of `wanted` is
   * found. For statements about these items alone.
   */
  async lookFor(...wanted: Wanted[]): Promise<Walk> {
    if (this.#extent.pages > LONG_LIST) return this.look(...wanted);
    let missing = wanted.map(safely);
    return this.walk(undefined, ({ items }) => {
      missing = missing.filter((each) => !items.some(each));
      return missing.length === 0;
    });
  }

  /** Returns the ends of a list that is known to be long; `undefined` for other lists. */
  async #ends(): Promise<Walk | undefined> {
    const extent = this.#extent;
    if (extent.pages <= LONG_LIST || !extent.ownAtEnds) return undefined;
    const size = await this.pageSize();
    return this.#still((book) => walkEnds(book, size, extent.pages));
  }

  /** Returns the first address of the list for which `wanted` holds, if there is one. */
  async listed(wanted: Wanted, perPage?: number): Promise<AddressTemplate | undefined> {
    const isWanted = safely(wanted);
    if (perPage === undefined && this.#extent.pages > LONG_LIST)
      return itemsOf(await this.look(isWanted)).find(isWanted);
    const walked = await this.walk(perPage, ({ items }) => items.some(isWanted));
    return itemsOf(walked).find(isWanted);
  }

  /** Returns the number of saved addresses as the list gives it. Throws `Blocked` when that is no number. */
  async count(purpose = 'list addresses, for their number'): Promise<{ answer: Answer; total: number }> {
    const { answer, meta } = await this.page({ per_page: 1 }, purpose);
    const total = meta.total_count;
    if (!Number.isInteger(total) || (total as number) < 0)
      throw new Blocked('`meta.total_count` is not a number of addresses', 'ADDR-META-TOTAL-COUNT');
    return { answer, total: total as number };
  }
}

/** Returns every item on the pages of a walk. */
export function itemsOf({ pages }: Walk): AddressTemplate[] {
  return pages.flatMap(({ items }) => items);
}

/** Wraps `wanted` so that it is only called with objects. */
function safely(wanted: Wanted): Wanted {
  return (item) => item !== null && typeof item === 'object' && wanted(item);
}
