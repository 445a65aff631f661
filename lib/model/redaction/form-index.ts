/**
 * An index of the forms in which secrets are written (forms.ts). A text is searched for all of them in one
 * pass, ignoring case, with a rolling hash: of each form, a window of `WINDOW` characters is indexed.
 */
import type { Form } from './forms.ts';

/** Length of the shortest form that is searched for anywhere; shorter ones count only as whole values. */
export const WINDOW = 8;
/** Fewest characters of a secret by which it is recognised where a text was cut off within it. */
const BEGINNING = 6;
/**
 * Steps that a search may take per character of a text. Ordinary texts take two or three; a text that was
 * made to be slow to search could take far more.
 */
const STEPS_PER_CHAR = 48;

/** A place in a text where a secret, or something made from one, stands. */
export interface Hit {
  start: number;
  end: number;
  label: string;
  /** True for a whole secret, as it is or in a reversible encoding; false for a part or a changed copy. */
  whole: boolean;
}

/** Thrown for a text that takes too long to search. */
export class TooMuchWork extends Error {}

/** Counts the steps of a search, and ends it when it takes too many. */
export class Work {
  steps = 0;
  readonly #most: number;

  constructor(text: string) {
    this.#most = STEPS_PER_CHAR * text.length + 50_000;
  }

  /**
   * Counts `steps` more steps.
   * @throws TooMuchWork when the search has taken more than its text allows
   */
  take(steps: number): void {
    this.steps += steps;
    if (this.steps > this.#most) throw new TooMuchWork();
  }
}

interface Entry {
  form: Form;
  label: string;
  whole: boolean;
  /** The form as it is compared, see `FOLD`. */
  folded: string;
  /** The index in the form at which its indexed window begins. */
  anchor: number;
}

/** Maps a character to the one it is compared as: lower case, and base64 in place of base64url. */
const FOLD = new Uint16Array(0x600).map((_, code) => {
  const lower = String.fromCharCode(code).toLowerCase();
  return '+/'.charCodeAt('-_'.indexOf(lower)) || (lower.length === 1 ? lower.charCodeAt(0) : code);
});

const fold = (code: number): number => (code < FOLD.length ? FOLD[code]! : code);
const foldText = (text: string): string => {
  let out = '';
  for (let i = 0; i < text.length; i++) out += String.fromCharCode(fold(text.charCodeAt(i)));
  return out;
};

const BASE = 0x01000193;
/** The factor that the oldest character of a window has in the hash, once the next character is added. */
const LEAVING = Array.from({ length: WINDOW }).reduce<number>((power) => Math.imul(power, BASE), 1);

const isBase64Char = (code: number): boolean => {
  const folded = fold(code);
  return (folded >= 97 && folded <= 122) || (folded >= 48 && folded <= 57) || folded === 43 || folded === 47;
};

/** A character that may be part of a token. */
const tokenChar = /[\w~+/=%-]/;

/**
 * Finds which of many secrets stand in a text, in one pass over it: forms are found by the hash of a window of
 * their characters.
 */
export class FormIndex {
  readonly #buckets = new Map<number, Entry[]>();
  /** Is 1 at the upper 18 bits of every indexed hash. At most places of a text this rules a secret out. */
  readonly #filter = new Uint8Array(1 << 18);
  /** Forms by their first `BEGINNING` characters. */
  readonly #beginnings = new Map<string, Entry[]>();

  get size(): number {
    return this.#beginnings.size;
  }

  /** Adds a form of at least `WINDOW` characters. */
  add(form: Form, label: string, whole: boolean): void {
    const folded = foldText(form.text);
    // Tokens of one issuer begin alike, and some end alike. Of three windows (end, beginning, middle) the one
    // whose hash the fewest other forms have is indexed, so that a search compares few forms.
    const anchors = [folded.length - WINDOW, 0, (folded.length - WINDOW) >> 1];
    const hashes = anchors.map((anchor) => hashOf(folded, anchor));
    const sizes = hashes.map((hash) => this.#buckets.get(hash)?.length ?? 0);
    const best = sizes.indexOf(Math.min(...sizes));
    const hash = hashes[best]!;
    if (this.#buckets.get(hash)?.some((one) => one.folded === folded && one.form.text === form.text)) return;
    const entry = { form, label, whole, folded, anchor: anchors[best]! };
    keep(this.#buckets, hash, entry);
    this.#filter[hash >>> 14] = 1;
    keep(this.#beginnings, folded.slice(0, BEGINNING), entry);
  }

  /** Returns every place in `text` where a form stands. */
  find(text: string, work: Work): Hit[] {
    const hits: Hit[] = [];
    work.take(text.length);
    // A ring buffer with the characters of the window; the next character overwrites the oldest.
    const window = new Uint16Array(WINDOW);
    let hash = 0;
    for (let i = 0; i < text.length; i++) {
      const code = fold(text.charCodeAt(i));
      const place = i & (WINDOW - 1);
      hash = (Math.imul(hash, BASE) + code - Math.imul(window[place]!, LEAVING)) | 0;
      window[place] = code;
      if (i < WINDOW - 1 || this.#filter[hash >>> 14] === 0) continue;
      for (const entry of this.#buckets.get(hash) ?? []) {
        const start = i - WINDOW + 1 - entry.anchor;
        if (standsAt(text, start, entry, work)) hits.push(hitOf(text, start, entry));
      }
    }
    return hits;
  }

  /**
   * Returns where a text, or a text that it quotes, was cut off within a secret: there, the beginning of a
   * form stands right before `…`, `...` or, with `cut`, the end of the text.
   */
  findCut(text: string, cut: boolean, work: Work): Hit[] {
    const hits: Hit[] = [];
    for (const match of text.matchAll(/…|\.\.\.|$/g)) {
      if (match[0] === '' && !cut) continue;
      const end = match.index;
      for (let start = end - 1; start >= 0 && tokenChar.test(text[start]!); start--) {
        work.take(1);
        if (end - start < BEGINNING) continue;
        const begun = this.#beginnings.get(foldText(text.slice(start, start + BEGINNING)));
        const entry = begun?.find((one) => {
          work.take(end - start);
          return one.folded.startsWith(foldText(text.slice(start, end)));
        });
        if (entry) hits.push({ start, end, label: entry.label, whole: false });
      }
    }
    return hits;
  }
}

function keep<Key>(entries: Map<Key, Entry[]>, key: Key, entry: Entry): void {
  const known = entries.get(key);
  if (known) known.push(entry);
  else entries.set(key, [entry]);
}

function hashOf(folded: string, from: number): number {
  let hash = 0;
  for (let i = from; i < from + WINDOW; i++) hash = (Math.imul(hash, BASE) + folded.charCodeAt(i)) | 0;
  return hash;
}

function standsAt(text: string, start: number, { folded }: Entry, work: Work): boolean {
  if (start < 0 || start + folded.length > text.length) return false;
  let length = 0;
  while (length < folded.length && fold(text.charCodeAt(start + length)) === folded.charCodeAt(length))
    length++;
  work.take(length + 1);
  return length === folded.length;
}

/**
 * Base64 of a secret that does not begin or end at a group of three bytes shares a character with the
 * neighbouring bytes. That character carries bits of the secret, so it belongs to the hit.
 */
function hitOf(text: string, start: number, { form, label, whole }: Entry): Hit {
  const end = start + form.text.length;
  const left = form.bleedsLeft && start > 0 && isBase64Char(text.charCodeAt(start - 1)) ? 1 : 0;
  const right = form.bleedsRight && end < text.length && isBase64Char(text.charCodeAt(end)) ? 1 : 0;
  const exact = form.reversible && text.startsWith(form.text, start);
  return { start: start - left, end: end + right, label, whole: whole && exact };
}
