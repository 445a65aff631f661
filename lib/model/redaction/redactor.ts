/**
 * Redaction keeps secrets out of every file, terminal and error, however they are written (URL-, form-, JSON-
 * and HTML-escaped, in base64 or base64url at any alignment, base32, hexadecimal, reversed, in other case,
 * and in two of these applied one after the other). A redactor searches for whole secrets. Code that makes
 * something from a secret (shortens it, changes one letter) makes the result known with `derive`.
 */
import { decodings, encodedPieces } from './decoded.ts';
import { FormIndex, type Hit, TooMuchWork, WINDOW, Work } from './form-index.ts';
import { formsOf } from './forms.ts';
import { NONE, type Redacted, replaced } from './replace.ts';
import { unescapedViews } from './views.ts';
import { WholeValues } from './whole-values.ts';

/** A secret that a redactor knows, with its label; `whole` is false for what was made from another one. */
export interface Known {
  secret: string;
  label: string;
  whole: boolean;
}

/** Replaces secrets by labels such as `«client_secret»`, and values made from one by `«client_secret…»`. */
export interface Redactor {
  /**
   * Makes `secret` known. `label` is put in its place. A secret that is shorter than 8 characters, or is a
   * word of the suite, is replaced only where it is a whole value. A secret keeps its first label; a second
   * secret with the same label becomes `client_secret 2`, so that a reader can tell them apart.
   */
  add(secret: string, label: string): void;
  /**
   * Makes a value known that was made from the secret `from` and is about to be sent: a part of it, or a copy
   * with one letter changed.
   * @returns `value`, so that the call can stand where the value is made
   */
  derive(value: string, from: string): string;
  /** Makes a secret known that another redactor has come to know, under the label that it has there. */
  follow(known: Known): void;
  /** Called with every secret that becomes known from now on. */
  onKnown: (known: Known) => void;
  /** Returns the text without its secrets. `cut` says that the end of the text is missing. */
  text(text: string, options?: { cut?: boolean }): string;
  /**
   * Returns a copy of plain data with every string redacted, keys included. The strings of an object with
   * `cut: true` are the beginning of a longer text: at their end, the beginning of a secret is replaced, too.
   */
  deep<T>(value: T): T;
  /** Returns whether a text consists of the suite's own words and is therefore no secret by itself. */
  isOwnWord(text: string): boolean;
  /** How many times each label took the place of something; `client_secret 2` counts as `client_secret`. */
  readonly counts: ReadonlyMap<string, number>;
  /** Labels of the secrets that are replaced only as whole values. */
  readonly weak: ReadonlySet<string>;
  /** Steps that all searches took so far; tests keep them below a limit. */
  readonly steps: number;
}

/** How many characters of texts are kept in memory together with the redacted texts. */
const MOST_REMEMBERED = 4_000_000;
/** How many pieces without a secret are remembered, and the length in characters up to which one is. */
const [MOST_CLEAN, LONGEST_CLEAN] = [20_000, 80];

/** @param ownWords returns the suite's vocabulary as one text: ids, paths, keys; called at most once */
export function createRedactor(ownWords: () => string = () => ''): Redactor {
  return new SecretRedactor(ownWords);
}

class SecretRedactor implements Redactor {
  readonly counts = new Map<string, number>();
  onKnown: (known: Known) => void = () => {};
  steps = 0;
  readonly #weak = new Set<string>();
  readonly #ownWords: () => string;
  #vocabulary: string | undefined;
  /** Every known secret with its label. */
  readonly #known = new Map<string, Known>();
  readonly #numbers = new Map<string, number>();
  /** Secrets that are known but not indexed yet: where no text is written, nothing has to be encoded. */
  readonly #pending: string[] = [];
  readonly #index = new FormIndex();
  readonly #wholeValues = new WholeValues();
  /** Pieces that were decoded and held no secret; remembered because names and ids recur. */
  readonly #clean = new Set<string>();
  /** Texts with their redacted form; remembered because names, headers and whole bodies recur. */
  readonly #redacted = new Map<string, Redacted>();
  #remembered = 0;

  constructor(ownWords: () => string) {
    this.#ownWords = ownWords;
  }

  add(secret: string, label: string): void {
    const known = this.#known.get(secret);
    if (secret === '' || known?.whole) return;
    const plain = label.replace(/[^\w .-]/g, '_').slice(0, 40);
    const nth = (this.#numbers.get(plain) ?? 0) + 1;
    this.#numbers.set(plain, nth);
    this.follow({ secret, label: nth === 1 ? plain : `${plain} ${nth}`, whole: true });
  }

  derive(value: string, from: string): string {
    const label = this.#known.get(from)?.label ?? 'secret';
    if (value !== '' && !this.#known.has(value)) this.follow({ secret: value, label, whole: false });
    return value;
  }

  follow(known: Known): void {
    this.#known.set(known.secret, known);
    this.#pending.push(known.secret);
    this.onKnown(known);
  }

  get weak(): ReadonlySet<string> {
    this.#indexPending();
    return this.#weak;
  }

  isOwnWord(text: string): boolean {
    // Single words of ordinary length, and numbers as short as a telephone number, are no secrets.
    if (/^(?:[a-z]{1,10}|[A-Z]{1,10}|[A-Z][a-z]{1,9}|\d{1,15})$/.test(text)) return true;
    if (!/^[A-Za-z][A-Za-z/:._ -]{0,60}$/.test(text)) return false;
    this.#vocabulary ??= this.#ownWords().toLowerCase();
    return this.#vocabulary.includes(text.toLowerCase());
  }

  text(text: string, options?: { cut?: boolean }): string {
    if (this.#known.size === 0 || text.length < 2) return text;
    this.#indexPending();
    const cut = options?.cut === true;
    let redacted = cut ? undefined : this.#redacted.get(text);
    if (redacted === undefined) {
      redacted = this.#search(text, cut);
      if (!cut) this.#remember(text, redacted);
    }
    for (const label of redacted.labels) this.counts.set(label, (this.counts.get(label) ?? 0) + 1);
    return redacted.text;
  }

  #search(text: string, cut: boolean): Redacted {
    const work = new Work(text);
    try {
      return replaced(text, this.#find(text, cut, work));
    } catch (error) {
      if (!(error instanceof TooMuchWork)) throw error;
      const why = `«left out: ${text.length} characters that take too long to be searched for secrets»`;
      return { text: why, labels: NONE };
    } finally {
      this.steps += work.steps;
    }
  }

  #remember(text: string, redacted: Redacted): void {
    this.#remembered += text.length;
    if (this.#remembered > MOST_REMEMBERED) this.#forget();
    this.#redacted.set(text, redacted);
  }

  #forget(): void {
    this.#clean.clear();
    this.#redacted.clear();
    this.#remembered = 0;
  }

  deep<T>(value: T): T {
    return this.#deep(value) as T;
  }

  #indexPending(): void {
    if (this.#pending.length > 0) this.#forget();
    for (const secret of this.#pending.splice(0)) {
      const { label, whole } = this.#known.get(secret)!;
      if (secret.length < WINDOW || this.isOwnWord(secret)) {
        this.#wholeValues.add(secret, label);
        if (whole) this.#weak.add(label);
        continue;
      }
      for (const form of formsOf(secret)) if (form.text.length >= WINDOW) this.#index.add(form, label, whole);
    }
  }

  #find(text: string, cut: boolean, work: Work): Hit[] {
    const hits = this.#findIn(text, cut, work);
    for (const view of unescapedViews(text)) {
      for (const hit of this.#findIn(view.text, cut, work)) {
        hits.push({ ...hit, start: view.from[hit.start]!, end: view.to[hit.end - 1]! });
      }
    }
    return hits;
  }

  #findIn(text: string, cut: boolean, work: Work): Hit[] {
    const hits =
      this.#index.size === 0 ? [] : [...this.#index.find(text, work), ...this.#findDecoded(text, work)];
    if (this.#wholeValues.size > 0) hits.push(...this.#wholeValues.find(text, work));
    if (cut || text.includes('…') || text.includes('...')) {
      hits.push(
        ...this.#index
          .findCut(text, cut, work)
          .filter((hit) => !this.isOwnWord(text.slice(hit.start, hit.end))),
      );
    }
    return hits;
  }

  /** Finds the secrets in pieces of a text that look encoded. */
  #findDecoded(text: string, work: Work): Hit[] {
    const hits: Hit[] = [];
    for (const { 0: piece, index } of encodedPieces(text)) {
      if (this.#clean.has(piece)) continue;
      const before = hits.length;
      for (const { text: inner, from, to } of decodings(piece, index)) {
        for (const hit of this.#index.find(inner, work))
          hits.push({ ...hit, start: from(hit.start), end: to(hit.end - 1) });
      }
      if (hits.length === before && piece.length <= LONGEST_CLEAN && this.#clean.size < MOST_CLEAN)
        this.#clean.add(piece);
    }
    return hits;
  }

  #deep(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.#deep(item));
    if (value === null || typeof value !== 'object') return value;
    const cut = (value as { cut?: unknown }).cut === true;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        this.text(key),
        typeof item === 'string' ? this.text(item, { cut }) : this.#deep(item),
      ]),
    );
  }
}
