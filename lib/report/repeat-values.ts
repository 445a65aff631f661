/** Finds which values of requests an answer gave out, and where in it. */
import type { Exchange } from '../model/results.ts';

/** A value that an answer gave out, and where in it. */
export interface Source {
  exchange: Exchange;
  key: string;
  /** Which of the values of this key in the answer it is, counted from 1. */
  nth: number;
  /** The label that stands for it in a request, such as `access_token 2`. */
  label: string;
}

/**
 * A value that was made from one that an answer gave out: some characters shorter, or with more behind it.
 */
export interface Derived {
  source: Source;
  shorter: number;
  behind: string;
}

/** The values that the answers of a run gave out. */
export class Sources {
  readonly #byValue = new Map<string, Source>();
  /** Values that were sent, and how many exchanges had been looked at when each was first sent. */
  readonly #sent = new Map<string, number>();
  #looked = 0;
  readonly #since = new Map<Source, number>();
  readonly #derived = new Map<string, Derived | undefined>();

  /**
   * Notes the values that the answer gives out and that were
   * never sent before, and the values that the request sends.
   */
  learn(exchange: Exchange): void {
    const { request, response } = exchange;
    this.#looked += 1;
    for (const value of valuesOf(request)) if (!this.#sent.has(value)) this.#sent.set(value, this.#looked);
    const counts = new Map<string, number>();
    for (const [, key, text, bare] of (response?.body.text ?? '').matchAll(LEAF)) {
      const nth = (counts.get(key!) ?? 0) + 1;
      counts.set(key!, nth);
      const value = text ?? bare!;
      if (!isTelling(key!, value) || this.#sent.has(value) || this.#byValue.has(value)) continue;
      const label = labelIn(value) ?? `${key} ${exchange.id}${nth === 1 ? '' : ` ${nth}`}`;
      const source = { exchange, key: key!, nth, label };
      this.#byValue.set(value, source);
      this.#since.set(source, this.#looked);
    }
  }

  /** Returns the answer that gave out a value. */
  of(value: string): Source | undefined {
    return this.#byValue.get(value);
  }

  all(): Iterable<[value: string, source: Source]> {
    return this.#byValue;
  }

  /**
   * Returns what a value was made from, where it is nearly one
   * that was given out: checks send similar ids on purpose.
   */
  derived(value: string): Derived | undefined {
    if (value.length < LEAST_DERIVED || value.startsWith('«')) return undefined;
    if (!this.#derived.has(value)) this.#derived.set(value, this.#findDerived(value));
    return this.#derived.get(value);
  }

  #findDerived(value: string): Derived | undefined {
    const sent = this.#sent.get(value) ?? 0;
    for (const [given, source] of this.#byValue) {
      if (given.length < LEAST_DERIVED || given.startsWith('«') || given === value) continue;
      // A value that was sent before this one was given out cannot have been made from it.
      if ((this.#since.get(source) ?? 0) >= sent) continue;
      const shorter = given.length - value.length;
      if (shorter > 0 && shorter <= MOST_SHORTER && given.startsWith(value))
        return { source, shorter, behind: '' };
      if (shorter < 0 && value.startsWith(given))
        return { source, shorter: 0, behind: value.slice(given.length) };
    }
    return undefined;
  }
}

/** Shorter ids may be similar by chance. */
const LEAST_DERIVED = 12;
const MOST_SHORTER = 8;

/** Returns the label in a text that consists of nothing else. */
export function labelIn(value: string): string | undefined {
  return /^«([^»…]+)»$/.exec(value)?.[1];
}

/** `"key": "text"` or `"key": 12` anywhere in JSON; the script searches with the same pattern. */
const LEAF = /"([A-Za-z_]\w*)" *: *(?:"([^"\\]*)"|(-?\d+(?:\.\d+)?))/g;

/**
 * Whether a value can be told from others: an id of any
 * kind, the label of something redacted, or a long text.
 */
function isTelling(key: string, value: string): boolean {
  if (value.startsWith('«')) return true;
  if (/(?:^|_)id$/i.test(key)) return value !== '';
  return value.length >= 16 && /\d/.test(value) && !/^\d{4}-\d\d-\d\dT/.test(value) && !value.includes(' ');
}

/**
 * Everything in a request that may come from an answer:
 * parts of its path, values of its query, headers and body.
 */
export function valuesOf({ url, headers, body }: Exchange['request']): string[] {
  const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  const texts = [query, ...headers.map(([, value]) => value), body?.text ?? ''];
  const labels = [url, ...texts].flatMap((text) => text.match(/«[\w .-]{1,60}»/g) ?? []);
  const path = url
    .replace(/[?#].*$/, '')
    .split('/')
    .slice(3);
  const words = texts.flatMap((text) => text.match(/[\w.~-]{6,}/g) ?? []);
  return [...new Set([...labels, ...path, ...words, ...numbersIn(query), ...numbersIn(body?.text ?? '')])];
}

/** Numbers that are the whole value of an `id`. */
function numbersIn(text: string): string[] {
  return [...text.matchAll(/id"? *[:=] *(\d+)/g)].map((match) => match[1]!);
}

/** Replaces a value where it is not part of a longer word. */
export function replaceWhole(text: string, value: string, by: string): string {
  const escaped = value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(new RegExp(`(?<![\\w«.-])${escaped}(?![\\w»-])`, 'g'), () => by);
}

export function variableOf(label: string): string {
  return label
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^(?=\d)/, '_');
}
