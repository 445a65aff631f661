/**
 * The whole list (4.1), walked through in pages of two sizes and looked at in pages of several more, while
 * nothing changes. Only for checks that write nothing and run one after the other.
 */
import { isDeepStrictEqual } from 'node:util';
import type { CheckContext } from '../../../lib/check/context.ts';
import { Blocked, Skipped } from '../../../lib/check/verdict.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { AddressBook } from './addresses.ts';
import { signOfLife } from './life.ts';
import { keyOf, type Page, pageOf, type Query, type Walk } from './pages.ts';

/** With so many addresses, pages of 20 have a first that is full and a last that is not the first. */
const LEAST = 23;
/** Sizes of pages to look at; 1 divides every number of addresses. */
const SIZES = [1, 2, 5, 20] as const;

/** What is known of the whole list. */
export interface Facts {
  /** Number of the first page. */
  base: number;
  /** How many addresses the list has: all that any walk met. */
  total: number;
  /** Keys of all addresses that any walk met. */
  met: Set<string>;
  /** Ids of addresses that are there, as reads say, and that no walk met. */
  missing: string[];
  /** A walk with pages of 20, and one with pages of 7. */
  walks: { perPage: number; walk: Walk }[];
}

/** One page of which it is known where it stands in the whole. */
export interface Probe {
  perPage: number;
  /** Its number. */
  page: number;
  isFirst: boolean;
  isLast: boolean;
  /** Number of pages of this size. */
  pages: number;
  answer: Answer;
}

/** A probed page with what it carries. */
export interface Judgeable extends Probe {
  /** Number of addresses on it. */
  length: number;
  meta: Page['meta'];
}

export type MetaValue =
  | 'total_count'
  | 'per_page'
  | 'current_page'
  | 'total_pages'
  | 'next_page'
  | 'prev_page';

/** Whether a number of the meta is one that it may be; where not, a requirement of its own is broken. */
function isValid(name: MetaValue, value: unknown): boolean {
  if (value === null) return name === 'next_page' || name === 'prev_page';
  if (!Number.isInteger(value)) return false;
  if (name === 'total_count' || name === 'total_pages') return (value as number) >= 0;
  return name !== 'per_page' || (value as number) <= 20;
}

/** See the module comment. */
export class Census {
  readonly #context: CheckContext;
  readonly #book: AddressBook;

  constructor(context: CheckContext) {
    this.#context = context;
    this.#book = new AddressBook(context);
  }

  /** Sees to it that there are at least 23 addresses, and walks. Throws `Blocked` without a list. */
  facts(): Promise<Facts> {
    return this.#context.session.once('shipping: census', async () => {
      // What writes has to be done before anything is counted; without an answer it would be done once more later.
      await signOfLife(this.#context).catch((error: unknown) => {
        if (!(error instanceof Blocked || error instanceof Skipped)) throw error;
      });
      const there = new Set([...(await this.#book.items()).map(keyOf), ...(await this.#living())]);
      for (let n = there.size; n < LEAST; n += 1)
        await this.#book.create({}, 'create an address to fill pages');
      const walks: Facts['walks'] = [];
      const met = new Set<string>();
      for (const perPage of [await this.#book.pageSize(), 7]) {
        const walk = await this.#book.walk(perPage);
        for (const item of walk.pages.flatMap((page) => page.items)) met.add(keyOf(item));
        walks.push({ perPage, walk });
      }
      const missing: string[] = [];
      for (const id of await this.#living()) {
        if (!met.has(id) && (await this.#isMissing(id, walks))) missing.push(id);
      }
      return { base: await this.#book.base(), total: met.size, met, missing, walks };
    });
  }

  /** Facts of a list with more than so many addresses. Throws `Blocked` where it shows fewer. */
  async longer(than: number): Promise<Facts> {
    const facts = await this.facts();
    if (facts.total > than) return facts;
    throw new Blocked(`the list shows ${facts.total} addresses only`, 'ADDR-CREATE-LISTED');
  }

  /** First, second, middle and last page for page sizes of 1, 2, 5 and 20. */
  async probes(): Promise<Probe[]> {
    const { base, total } = await this.facts();
    return this.#context.session.once('shipping: probed pages', async () => {
      const probes: Probe[] = [];
      for (const perPage of [...SIZES, ...unevenSize(total)]) {
        const pages = Math.ceil(total / perPage);
        for (const n of new Set([0, 1, Math.floor(pages / 2), pages - 1])) {
          const query = { page: base + n, per_page: perPage };
          const answer = await this.#book.list(query, `list page ${base + n} of ${perPage}`);
          probes.push({ perPage, page: base + n, isFirst: n === 0, isLast: n === pages - 1, pages, answer });
        }
      }
      return [...probes, ...(await this.#sparing(base, total))];
    });
  }

  /**
   * The first page asked for without `per_page`, and without either parameter, where they carry what it carries:
   * which page an absent `page` means is not shown.
   */
  async #sparing(base: number, total: number): Promise<Probe[]> {
    const pages = Math.ceil(total / 20);
    const sparing: Probe[] = [];
    let first: string[] | undefined;
    for (const query of [{ page: base }, {}] as Query[]) {
      const purpose = `list ${'page' in query ? `page ${base}` : 'the first page'} without per_page`;
      const answer = await this.#book.list(query, purpose);
      const data = answer.at('/data');
      if (!answer.ok || !Array.isArray(data) || data.length !== Math.min(20, total)) break;
      const keys = data.map(keyOf);
      first ??= keys;
      if (!isDeepStrictEqual(keys, first)) break;
      sparing.push({ perPage: 20, page: base, isFirst: true, isLast: pages === 1, pages, answer });
    }
    return sparing;
  }

  /**
   * Those of the probed pages whose meta can be judged: they carry as many addresses as they ought to. Throws
   * `Blocked` where there is none, or where `value` of the meta has no valid type on any of them.
   */
  async judgeable(value: MetaValue, wanted: (probe: Probe) => boolean = () => true): Promise<Judgeable[]> {
    const { total, missing } = await this.facts();
    if (missing.length > 0) throw new Blocked('the pages do not carry every address', 'ADDR-LIST-NO-GAPS');
    const proper = (await this.pages(value, wanted)).filter(
      ({ length, perPage, pages, isLast }) => length === (isLast ? total - (pages - 1) * perPage : perPage),
    );
    if (proper.length > 0) return proper;
    throw new Blocked('no page carries as many addresses as it ought to', 'ADDR-LIST-PER-PAGE-HONOURED');
  }

  /** Probed pages whose meta has a valid `value`, whatever they carry. Throws `Blocked` where there is none. */
  async pages(value: MetaValue, wanted: (probe: Probe) => boolean = () => true): Promise<Judgeable[]> {
    const answered = (await this.probes()).filter(
      ({ answer }) => answer.ok && Array.isArray(answer.at('/data')),
    );
    const pages = answered.filter(wanted).map((probe) => {
      const { items, meta } = pageOf(probe.answer);
      return { ...probe, length: items.length, meta };
    });
    const typed = pages.filter(({ meta }) => isValid(value, meta[value]));
    if (typed.length > 0) return typed;
    if (pages.length === 0) throw new Blocked('no such page is answered', 'ADDR-LIST-PER-PAGE-HONOURED');
    const id = `ADDR-META-${value.toUpperCase().replaceAll('_', '-')}`;
    throw new Blocked(`\`meta.${value}\` has no valid value`, id);
  }

  /** Whether an address that no walk met by its id is there and not met by its label either. */
  async #isMissing(id: string, walks: Facts['walks']): Promise<boolean> {
    const read = await this.#book.read(id);
    const alias = read.at('/data/alias_name');
    const items = walks.flatMap(({ walk }) => walk.pages.flatMap((page) => page.items));
    return read.ok && !items.some((item) => item.alias_name === alias);
  }

  /** Keys of the addresses that this run made. */
  async #living(): Promise<string[]> {
    return (await this.#book.living()).map((id) => id.toLowerCase());
  }
}

/** A size of which less than half a page is left over at the end, so that rounding the wrong way shows. */
function unevenSize(total: number): number[] {
  for (let size = 19; size > 2; size -= 1) if (total % size > 0 && total % size < size / 2) return [size];
  return [];
}
