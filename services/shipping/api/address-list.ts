/** Listing addresses (4.1): single pages, their number, and walks through all of them. */
import { perRunOf } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { Blocked } from '../../../lib/model/verdict.ts';
import type { AddressTemplate } from '../../../schemas/shipping/index.ts';
import { type AddressCall, AddressCalls } from './address-calls.ts';
import type { AccessToken } from './oauth.ts';
import { type Page, pageBase, pageOf, type Query, type Walk, walk } from './pages.ts';

/** The name of the collection that lists show. */
export const ADDRESSES = 'shipping: addresses';

/** The list of addresses, as one token sees it. */
export class AddressList {
  readonly session: Session;
  readonly #as: AccessToken | undefined;

  /** @param as the token that calls use unless they say otherwise; by default one of the run's pool */
  constructor(session: Session, as?: AccessToken) {
    this.session = session;
    this.#as = as;
  }

  /** The token that calls use where they do not say. */
  protected get as(): AccessToken | undefined {
    return this.#as;
  }

  /** Sends one call; see `AddressCalls`. */
  call(call: AddressCall): Promise<Answer> {
    return new AddressCalls(this.session).send({ ...(this.#as && { auth: this.#as }), ...call });
  }

  /** Lists with exactly these query parameters. */
  list(query: Query = {}, purpose = 'list addresses', options: Partial<AddressCall> = {}): Promise<Answer> {
    const entries = Object.entries(query).map(([k, v]): [string, string] => [k, String(v)]);
    const search = new URLSearchParams(entries).toString();
    return this.call({ method: 'GET', path: search ? `?${search}` : '', purpose, ...options });
  }

  /** A page that has to be there. Throws `Blocked` when the answer has no array `data`. */
  async page(query: Query = {}, purpose?: string): Promise<Page> {
    return pageOf(await this.list(query, purpose));
  }

  /** The number of the first page: 1, unless the target plainly counts from 0 (a silence). */
  base(): Promise<number> {
    return pageBase(this, this.session);
  }

  /** The size of pages to walk in: 20, or where that is refused, 10. */
  readonly pageSize = perRunOf(
    this,
    'shipping: page size',
    async (): Promise<number> => ((await this.list({ per_page: 20 }, 'list pages of 20')).ok ? 20 : 10),
  );

  /** The whole collection, page by page, or as far as is asked for; see `walk`. */
  async walk(perPage?: number, isEnough?: (page: Page) => boolean): Promise<Walk> {
    // What comes or goes meanwhile moves others from page to page.
    const [size, gate] = [perPage ?? (await this.pageSize()), this.session.gate(ADDRESSES)];
    await this.base();
    return gate.still(() => walk(this, size, isEnough));
  }

  /** The pages of the whole collection. */
  async all(perPage?: number): Promise<Page[]> {
    return (await this.walk(perPage)).pages;
  }

  /** Every address that a walk meets. */
  async items(perPage?: number): Promise<AddressTemplate[]> {
    return (await this.all(perPage)).flatMap((page) => page.items);
  }

  /** The first address of the list for which `wanted` holds, if there is one. */
  async listed(
    wanted: (item: AddressTemplate) => boolean,
    perPage?: number,
  ): Promise<AddressTemplate | undefined> {
    const isWanted = (item: AddressTemplate) => item !== null && typeof item === 'object' && wanted(item);
    const { pages } = await this.walk(perPage, ({ items }) => items.some(isWanted));
    return pages.flatMap(({ items }) => items).find(isWanted);
  }

  /** What the list gives as the number of saved addresses. Throws `Blocked` when that is no number. */
  async count(purpose = 'list addresses, for their number'): Promise<{ answer: Answer; total: number }> {
    const { answer, meta } = await this.page({ per_page: 1 }, purpose);
    const total = meta.total_count;
    if (!Number.isInteger(total) || (total as number) < 0)
      throw new Blocked('`meta.total_count` is not a number of addresses', 'ADDR-META-TOTAL-COUNT');
    return { answer, total: total as number };
  }
}
