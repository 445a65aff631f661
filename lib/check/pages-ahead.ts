/** Requests the pages of a list together, where it is known from an earlier time how many there are. */
import type { Answer } from '../http/answer.ts';
import { perSession } from './per-run.ts';
import type { Session } from './session.ts';

/** How many pages each list had when it was last read, by a name of the list. */
const countsIn = perSession((): Map<string, number> => new Map());

/** Reads the pages of one list. With one lane each page is requested when it is asked for. */
export class PagesAhead {
  readonly #session: Session;
  readonly #name: string;
  readonly #read: (page: number) => Promise<Answer>;
  #ahead: Answer[] = [];

  /**
   * @param name tells lists apart: what is listed, and by which query
   * @param read requests a page, by its number from 1 on
   */
  constructor(session: Session, name: string, read: (page: number) => Promise<Answer>) {
    this.#session = session;
    this.#name = name;
    this.#read = read;
  }

  /**
   * Requests as many pages as there were the last time, several at once where several checks may run at once.
   * The list may have fewer by now: then the answers that nobody asks for are of no use.
   */
  async begin(most: number): Promise<void> {
    const count = Math.min(most, countsIn(this.#session).get(this.#name) ?? 0);
    if (this.#session.atOnce === 1 || count < 2) return;
    const pages = Array.from({ length: count }, (_, i) => () => this.#read(i + 1));
    this.#ahead = await this.#session.together(pages);
  }

  /** Returns the answer with a page, by its number from 1 on. Pages are asked for in order. */
  async at(page: number): Promise<Answer> {
    countsIn(this.#session).set(this.#name, page);
    return this.#ahead[page - 1] ?? this.#read(page);
  }
}
