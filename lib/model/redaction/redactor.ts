/**
 * Redaction: secrets reach no file, no terminal and no error, however they are written (URL-, form-, JSON-
 * and HTML-escaped, in base64 or base64url at any alignment, base32, hexadecimal, reversed, in other case, and in two of
 * these one over the other).
 * Whole secrets are looked for. What the suite makes of one (shortened, one letter changed) is named with
 * `derive` by the code that makes it.
 */
import { decodings, encodedPieces } from './decoded.ts';
import { FormIndex, type Hit, TooMuchWork, WINDOW, Work } from './form-index.ts';
import { formsOf } from './forms.ts';
import { NONE, type Redacted, replaced } from './replace.ts';
import { unescapedViews } from './views.ts';
import { WholeValues } from './whole-values.ts';

/** A secret as a redactor knows it: with its label, and whether it is one by itself or was made of one. */
export interface Known {
  secret: string;
  label: string;
  whole: boolean;
}

/** Replaces secrets by labels such as `«client_secret»`; what was made of one by `«client_secret…»`. */
export interface Redactor {
  /**
   * Makes `secret` known. `label` is what takes its place. Those under 8 characters, or that are a word of
   * the suite, are replaced only where they stand as a whole value. A secret keeps its first label; a
   * second secret with the same label becomes `client_secret 2`, so that a reader can tell them apart.
   */
  add(secret: string, label: string): void;
  /**
   * Makes known what was made of a secret and is about to be sent: a part of it, one letter changed.
   * @returns `value`, for use where it is made
   */
  derive(value: string, from: string): string;
  /** Makes known what another redactor has come to know, under the label that it has there. */
  follow(known: Known): void;
  /** Told of every secret from now on as it becomes known. */
  onKnown: (known: Known) => void;
  /** The text without its secrets. `cut` says that the end of the text is missing. */
  text(text: string, options?: { cut?: boolean }): string;
  /**
   * A copy of plain data with every string redacted, keys included. Objects with `cut: true` hold the
   * beginning of a longer text: there, the beginning of a secret at the end counts too.
   */
  deep<T>(value: T): T;
  /** Whether a text is in the suite's own words and therefore no secret by itself. */
  isOwnWord(text: string): boolean;
  /** How many times each label was put in the place of something, without the numbers of labels. */
  readonly counts: ReadonlyMap<string, number>;
  /** Labels of the secrets that are replaced only as whole values. */
  readonly weak: ReadonlySet<string>;
  /** Steps that searching took so far: what a test bounds. */
  readonly steps: number;
}

/** So many characters of texts are remembered with what became of them. */
const MOST_REMEMBERED = 4_000_000;
/** Of pieces in which nothing was found, so many are remembered, and none that is longer. */
const [MOST_CLEAN, LONGEST_CLEAN] = [20_000, 80];

/** @param ownWords the suite's vocabulary as one text: ids, paths, keys; called at most once */
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
  /** Label and kind by secret. */
  readonly #known = new Map<string, Known>();
  readonly #numbers = new Map<string, number>();
  /** Known, and not in the index yet: where nothing is written, nothing has to be encoded. */
  readonly #pending: string[] = [];
  readonly #index = new FormIndex();
  readonly #wholeValues = new WholeValues();
  /** Pieces that were decoded, and in which nothing was found: names and ids come again and again. */
  readonly #clean = new Set<string>();
  /** What became of texts: names, headers and whole bodies come again and again. */
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
    // Words, as long as words are; digits that a telephone number may hold.
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

  /** What stands in pieces of a text that look encoded. */
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
