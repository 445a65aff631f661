/**
 * An index of the ways in which secrets are written: a text is searched for all of them, in upper and
 * lower case alike, in one pass with a rolling hash over a window of each form.
 */
import type { Form } from './forms.ts';

/** The shortest form that is searched for anywhere in a text; shorter ones count as whole values only. */
export const WINDOW = 8;
/** Of a secret that a text was cut within, at least this much is left. */
const BEGINNING = 6;
/** Steps that a search may take for each character of a text; honest texts take two or three. */
const STEPS_PER_CHAR = 48;

/** A place in a text where something secret stands. */
export interface Hit {
  start: number;
  end: number;
  label: string;
  /** The secret as it is, or in an encoding that gives it back; not a part or a changed one. */
  whole: boolean;
}

/** A text that takes too long to be searched. */
export class TooMuchWork extends Error {}

/** Counts what a search looks at. */
export class Work {
  steps = 0;
  readonly #most: number;

  constructor(text: string) {
    this.#most = STEPS_PER_CHAR * text.length + 50_000;
  }

  /** Throws `TooMuchWork` where the text is not worth it. */
  take(steps: number): void {
    this.steps += steps;
    if (this.steps > this.#most) throw new TooMuchWork();
  }
}

interface Entry {
  form: Form;
  label: string;
  whole: boolean;
  /** The form with upper and lower case alike. */
  folded: string;
  /** Where in the form the indexed window begins. */
  anchor: number;
}

/** Characters as they are compared: lower case, and the two alphabets of base64 as one. */
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
/** What the character that leaves a window is worth in its hash. */
const LEAVING = Array.from({ length: WINDOW }).reduce<number>((power) => Math.imul(power, BASE), 1);

const isBase64Char = (code: number): boolean => {
  const folded = fold(code);
  return (folded >= 97 && folded <= 122) || (folded >= 48 && folded <= 57) || folded === 43 || folded === 47;
};

/** Characters that stand within a token. */
const tokenChar = /[\w~+/=%-]/;

export class FormIndex {
  readonly #buckets = new Map<number, Entry[]>();
  /** One for each value of 18 bits of a hash that a window has: most places of a text need no more. */
  readonly #filter = new Uint8Array(1 << 18);
  /** Forms by what they begin with. */
  readonly #beginnings = new Map<string, Entry[]>();

  get size(): number {
    return this.#beginnings.size;
  }

  /** Adds a form of at least `WINDOW` characters. */
  add(form: Form, label: string, whole: boolean): void {
    const folded = foldText(form.text);
    // Tokens of one issuer begin alike, and some end alike: the window is where the fewest others are.
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

  /** Every place in `text` where a form stands. */
  find(text: string, work: Work): Hit[] {
    const hits: Hit[] = [];
    work.take(text.length);
    // The characters of the window, the oldest where the next one goes.
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
   * Where a text, or what it quotes, was cut within a secret: the beginning of a form right before `…`,
   * `...` or, with `cut`, the end.
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

/** Base64 that is out of step shares a character with its neighbours: that goes as well. */
function hitOf(text: string, start: number, { form, label, whole }: Entry): Hit {
  const end = start + form.text.length;
  const left = form.bleedsLeft && start > 0 && isBase64Char(text.charCodeAt(start - 1)) ? 1 : 0;
  const right = form.bleedsRight && end < text.length && isBase64Char(text.charCodeAt(end)) ? 1 : 0;
  const exact = form.reversible && text.startsWith(form.text, start);
  return { start: start - left, end: end + right, label, whole: whole && exact };
}
