/** The address endpoints of specification 1 (4.1 to 4.6), with pacing, credentials and cleanup. */
import type { CheckContext } from '../../../lib/check/context.ts';
import type { Session } from '../../../lib/check/session.ts';
import { Blocked } from '../../../lib/check/verdict.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { Body } from '../../../lib/http/body.ts';
import type { AddressTemplate } from '../../../schemas/shipping/index.ts';
import { type NewAddress, newAddress } from './data.ts';
import { type AccessToken, TokenPool } from './tokens.ts';

/** How a call authenticates: with a token of the pool (default), one token, a raw value, or not at all. */
export type Auth = 'pool' | 'none' | AccessToken | { raw: string };

/** One call to an address endpoint. */
export interface AddressCall {
  method: string;
  /** After `/api/v1/address_templates`. */
  path?: string;
  purpose: string;
  body?: Body;
  auth?: Auth;
  throttled?: 'retry' | 'answer';
}

/** An address that the suite made. */
export interface Made {
  id: string;
  sent: NewAddress;
  answer: Answer;
  data: AddressTemplate;
}

/** Calls the address book and removes what it made at the end of the run. */
export class AddressBook {
  readonly #session: Session;
  readonly #context: CheckContext;

  constructor(context: CheckContext) {
    this.#context = context;
    this.#session = context.session;
  }

  /** Sends one call. A pool token that the target has meanwhile ended is replaced once. */
  async call(call: AddressCall): Promise<Answer> {
    if (call.auth !== undefined && call.auth !== 'pool') return this.#send(call, call.auth);
    const pool = await TokenPool.of(this.#session);
    const token = await pool.take();
    const answer = await this.#send(call, token, () => pool.shrink());
    if (answer.status !== 401) return answer;
    pool.drop(token);
    return this.#send(call, await pool.take());
  }

  async #send(call: AddressCall, auth: Exclude<Auth, 'pool'>, onThrottled?: () => void): Promise<Answer> {
    const { baseUrl, headers } = this.#session.target.shipping!;
    const token = auth !== 'none' && 'pacer' in auth ? auth : undefined;
    if (call.throttled !== 'answer') await token?.pacer.ready();
    try {
      return await this.#session.http.send({
        method: call.method,
        url: `${baseUrl}/api/v1/address_templates${call.path ?? ''}`,
        purpose: call.purpose,
        headers: {
          'content-type': 'application/json',
          ...(headers as Record<string, string> | undefined),
          ...(auth !== 'none' && { authorization: `Bearer ${'raw' in auth ? auth.raw : auth.value}` }),
        },
        ...(call.body && { body: call.body }),
        throttled: call.throttled ?? 'retry',
        ...(call.throttled === 'answer' && { gatewayErrors: 'answer' as const }),
        ...(onThrottled && { onThrottled }),
      });
    } finally {
      token?.pacer.used();
    }
  }

  /** A unique mark for one address, so that it can be told from all others. */
  nth(): string {
    const counter = this.#session as unknown as { [COUNTER]?: number };
    counter[COUNTER] = (counter[COUNTER] ?? 0) + 1;
    return `${this.#session.options.seed.toString(36)}-${counter[COUNTER]}`;
  }

  /** A complete, valid address that nobody has yet. */
  fresh(): NewAddress {
    return newAddress(this.#context.faker, this.nth());
  }

  /** Creates from exactly this body; whatever comes of it is removed at the end of the run. */
  async post(body: unknown, purpose = 'create an address', auth: Auth = 'pool'): Promise<Answer> {
    const { journal } = this.#session;
    const alias = (body as { address_template?: { alias_name?: unknown } } | null)?.address_template?.alias_name;
    const entry = journal.open('shipping.address', { alias_name: typeof alias === 'string' ? alias : null });
    const answer = await this.call({ method: 'POST', purpose, body: { json: body }, auth });
    const id = answer.at('/data/id');
    if (answer.ok && typeof id === 'string' && id !== '') {
      journal.note(entry, { id });
      const made = await this.#madeIds();
      made.set(id, entry);
    } else if (!answer.ok) journal.done(entry);
    return answer;
  }

  /** Creates a valid address, changed by `changes`. Throws `Blocked` when that does not work. */
  async create(changes: Partial<NewAddress> = {}): Promise<Made> {
    const fresh = this.fresh();
    const sent: NewAddress = {
      ...fresh,
      ...changes,
      address_attributes: { ...fresh.address_attributes, ...changes.address_attributes },
    };
    return this.made(sent, await this.post({ address_template: sent }));
  }

  /** The address that a create answered with. Throws `Blocked` when it is not there. */
  made(sent: NewAddress, answer: Answer): Made {
    const data = answer.at('/data') as AddressTemplate | undefined;
    if (!answer.ok || typeof data?.id !== 'string' || data.id === '') {
      throw new Blocked(`no address could be created: create answered ${answer.status} ${answer.ok ? 'without `data.id`' : ''}`, 'ADDR-CREATE-STATUS');
    }
    return { id: data.id, sent, answer, data };
  }

  read(id: string, purpose = 'read the address'): Promise<Answer> {
    return this.call({ method: 'GET', path: `/${encodeURIComponent(id)}`, purpose });
  }

  /** Reads an address that has to be there. Throws `Blocked` when it is not. */
  async stored(id: string, purpose = 'read the address back'): Promise<{ answer: Answer; data: AddressTemplate }> {
    const answer = await this.read(id, purpose);
    const data = answer.at('/data');
    if (!answer.ok || data === null || typeof data !== 'object') {
      throw new Blocked(`${purpose}: answered ${answer.status}${answer.ok ? ' without `data`' : ''}`, 'ADDR-READ-STATUS');
    }
    return { answer, data: data as AddressTemplate };
  }

  /** Sends a PATCH with this `address_template`; `extra` goes beside it. */
  update(id: string, changes: unknown, extra: Record<string, unknown> = {}, purpose = 'update the address'): Promise<Answer> {
    return this.call({
      method: 'PATCH',
      path: `/${encodeURIComponent(id)}`,
      purpose,
      body: { json: { ...extra, address_template: changes } },
    });
  }

  /** Updates an address; throws `Blocked` unless the target accepts. */
  async updated(id: string, changes: unknown, extra: Record<string, unknown> = {}): Promise<Answer> {
    const answer = await this.update(id, changes, extra);
    if (!answer.ok) throw new Blocked(`a valid PATCH was answered with ${answer.status}`, 'ADDR-UPDATE-STATUS');
    return answer;
  }

  async remove(id: string, purpose = 'delete the address'): Promise<Answer> {
    const answer = await this.call({ method: 'DELETE', path: `/${encodeURIComponent(id)}`, purpose });
    if (answer.ok) {
      const made = await this.#madeIds();
      const entry = made.get(id);
      if (entry !== undefined) this.#session.journal.done(entry);
      made.delete(id);
    }
    return answer;
  }

  /** Lists with exactly these query parameters. */
  list(query: Record<string, string | number> = {}, purpose = 'list addresses'): Promise<Answer> {
    const search = new URLSearchParams(Object.entries(query).map(([k, v]): [string, string] => [k, String(v)])).toString();
    return this.call({ method: 'GET', path: search ? `?${search}` : '', purpose });
  }

  /** A page that has to be there. Throws `Blocked` when the answer has no array `data`. */
  async page(query: Record<string, string | number> = {}): Promise<Page> {
    const answer = await this.list(query);
    const data = answer.at('/data');
    if (!answer.ok || !Array.isArray(data)) {
      throw new Blocked(`list answered ${answer.status}${answer.ok ? ' without an array `data`' : ''}`, 'ADDR-LIST-STATUS');
    }
    return { answer, items: data as AddressTemplate[], meta: (answer.at('/meta') ?? {}) as Record<string, unknown> };
  }

  /**
   * The whole collection, page by page, until a page comes that is not full. Follows the items, not the
   * meta, so that wrong arithmetic there does not lead it astray.
   */
  async all(perPage = 20): Promise<Page[]> {
    const pages: Page[] = [];
    const seen = new Set<string>();
    for (let n = 1; n <= MAX_PAGES; n += 1) {
      const page = await this.page({ page: n, per_page: perPage });
      pages.push(page);
      const fresh = page.items.filter((item) => !seen.has(item?.id));
      for (const item of page.items) seen.add(item?.id);
      if (page.items.length === 0 || fresh.length === 0) return pages;
      if (page.items.length < perPage && page.meta.next_page == null) return pages;
    }
    throw new Blocked(`the address book has more than ${MAX_PAGES} pages; use an account with fewer addresses`);
  }

  /** The ids of the whole collection. */
  async ids(): Promise<string[]> {
    return (await this.all()).flatMap((page) => page.items.map((item) => item?.id));
  }

  #madeIds(): Promise<Map<string, number>> {
    return this.#session.once('shipping: addresses made', async () => {
      const made = new Map<string, number>();
      this.#session.onClose(async () => {
        for (const id of [...made.keys()]) {
          const answer = await this.remove(id, 'clean up');
          if (!answer.ok && answer.status !== 404) throw new Error(`address ${id} could not be removed: ${answer.status}`);
        }
      });
      return made;
    });
  }
}

/** One page of the list. */
export interface Page {
  answer: Answer;
  items: AddressTemplate[];
  meta: Record<string, unknown>;
}

/** More pages than this are not walked. */
const MAX_PAGES = 200;
const COUNTER = Symbol('addresses made');
