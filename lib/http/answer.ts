import { tokensOf } from '../model/json-pointer.ts';
import type { Exchange, HeaderPair } from '../model/results.ts';
import { Undecided } from '../model/verdict.ts';
import { tooMuchJson } from './json-bounds.ts';
import { type OnLook, watched } from './looks.ts';
import { parseJson } from './parse-once.ts';

/** The answer to one request, with what checks need to examine it. */
export class Answer {
  readonly exchange: Exchange;
  readonly status: number;
  readonly #text: string;
  /** Called with each part of the answer that is read; set only where the client's `watch` is. */
  readonly #onLook: OnLook | undefined;
  /** The request whose effect this answer shows, where that was an earlier one. */
  #cause: Exchange | undefined;
  #json: unknown;
  #parsed = false;

  constructor(exchange: Exchange, status: number, text: string, onLook?: OnLook) {
    this.exchange = exchange;
    this.status = status;
    this.#text = text;
    this.#onLook = onLook;
  }

  /** The whole body as text (UTF-8). */
  get text(): string {
    this.#onLook?.('text');
    return this.#text;
  }

  /** The request whose effect this answer shows: `read.after(update.exchange)`. */
  get cause(): Exchange | undefined {
    return this.#cause;
  }

  /**
   * Records that this answer shows the effect of `cause`, so that failures name both requests.
   * @returns the answer itself
   */
  after(cause: Exchange | undefined): this {
    if (cause !== this.exchange) this.#cause = cause;
    return this;
  }

  /** True for every 2xx. */
  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** Returns the first characters of the body, with an ellipsis where there are more. */
  beginning(characters = 200): string {
    return this.text.length > characters ? `${this.text.slice(0, characters)}…` : this.text;
  }

  get headers(): HeaderPair[] {
    this.#onLook?.('headers');
    return this.exchange.response?.headers ?? [];
  }

  /** Returns the values of a header, in order; empty when it is absent. Case does not matter in `name`. */
  header(name: string): string[] {
    const wanted = name.toLowerCase();
    this.#onLook?.(`header ${wanted}`);
    const headers = this.exchange.response?.headers ?? [];
    return headers.filter(([key]) => key.toLowerCase() === wanted).map(([, value]) => value);
  }

  /**
   * The body as JSON; `undefined` when it is not JSON.
   * @throws Undecided when it is nested too deeply or has too many members to be examined within bounds
   */
  get json(): unknown {
    if (!this.#parsed) {
      const tooMuch = tooMuchJson(this.#text);
      if (tooMuch !== undefined) throw new Undecided(`${this.exchange.purpose}: ${tooMuch}`);
      this.#parsed = true;
      try {
        this.#json = parseJson(this.#text);
        if (this.#onLook) this.#json = watched(this.#json, this.#onLook);
      } catch {
        this.#json = undefined;
      }
    }
    return this.#json;
  }

  /** Returns the value at a JSON pointer (RFC 6901) of the body; `undefined` when there is none. */
  at(pointer: string): unknown {
    return valueAt(this.json, pointer);
  }
}

/** Returns the value at a JSON pointer (RFC 6901) of `value`; `undefined` when there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  let current = value;
  for (const key of tokensOf(pointer)) {
    if (current === null || typeof current !== 'object') return undefined;
    if (!Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}
