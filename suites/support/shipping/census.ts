/**
 * The whole list (4.1), walked through in pages of two sizes and looked at in pages of several more, while
 * nothing changes. Only for checks that write nothing and run one after the other.
 */
import type { CheckContext } from '../../../lib/check/context.ts';
import { Blocked } from '../../../lib/check/verdict.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { AddressBook } from './addresses.ts';
import { signOfLife } from './life.ts';
import { keyOf, type Page, pageOf, type Walk } from './pages.ts';

/** With so many addresses, pages of 20 have a first that is full and a last that is not the first. */
const LEAST = 23;
/** Sizes of pages to look at; 1 divides every number of addresses. */
const SIZES = [1, 2, 5, 20] as const;

/** What is known of the whole list. */
export interface Facts {
  /** Number of the first page. */
  base: number;
  /** Saved addresses: all that any walk met. */
  total: number;
  /** Keys of all addresses that are known to be there. */
  expected: Set<string>;
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
      // What writes has to be done before anything is counted.
      await signOfLife(this.#context).catch(() => undefined);
      const there = new Set([...(await this.#book.items()).map(keyOf), ...(await this.#living())]);
      for (let n = there.size; n < LEAST; n += 1)
        await this.#book.create({}, 'create an address to fill pages');
      const walks = [];
      const expected = new Set<string>();
      for (const perPage of [20, 7]) {
        const walk = await this.#book.walk(perPage);
        for (const item of walk.pages.flatMap((page) => page.items)) expected.add(keyOf(item));
        walks.push({ perPage, walk });
      }
      for (const id of await this.#living())
        if (!expected.has(id) && (await this.#isMissing(id, walks))) expected.add(id);
      return { base: await this.#book.base(), total: expected.size, expected, walks };
    });
  }

  /** First, second, middle and last page for page sizes of 1, 2, 5 and 20. */
  async probes(): Promise<Probe[]> {
    const { base, total } = await this.facts();
    return this.#context.session.once('shipping: probed pages', async () => {
      const probes: Probe[] = [];
      for (const perPage of SIZES) {
        const pages = Math.ceil(total / perPage);
        for (const n of new Set([0, 1, Math.floor(pages / 2), pages - 1])) {
          const query = { page: base + n, per_page: perPage };
          const answer = await this.#book.list(query, `list page ${base + n} of ${perPage}`);
          probes.push({ perPage, page: base + n, isFirst: n === 0, isLast: n === pages - 1, pages, answer });
        }
      }
      return probes;
    });
  }

  /**
   * Those of the probed pages whose meta can be judged: they carry as many addresses as they ought to. Throws
   * `Blocked` where there is none, or where `value` of the meta has no valid type on any of them.
   */
  async judgeable(
    value: string,
    wanted: (probe: Probe) => boolean = () => true,
  ): Promise<(Probe & { meta: Page['meta'] })[]> {
    const { total } = await this.facts();
    const proper = (await this.probes()).filter(wanted).flatMap((probe) => {
      const { answer, perPage, isLast, pages } = probe;
      if (!answer.ok || !Array.isArray(answer.at('/data'))) return [];
      const { items, meta } = pageOf(answer);
      return items.length === (isLast ? total - (pages - 1) * perPage : perPage) ? [{ ...probe, meta }] : [];
    });
    if (proper.length === 0)
      throw new Blocked('no page carries as many addresses as it ought to', 'ADDR-LIST-PER-PAGE-HONOURED');
    const nullable = value === 'next_page' || value === 'prev_page';
    const typed = proper.filter(
      ({ meta }) => Number.isInteger(meta[value]) || (nullable && meta[value] === null),
    );
    if (typed.length > 0) return typed;
    throw new Blocked(
      `\`meta.${value}\` is not an integer`,
      `ADDR-META-${value.toUpperCase().replaceAll('_', '-')}`,
    );
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
