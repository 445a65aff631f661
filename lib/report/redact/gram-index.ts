/**
 * An index of all runs of `GRAM` characters that occur in any secret: a text is searched for hundreds
 * of secrets, and for any part of them, in one pass with a rolling hash.
 */

/** The shortest part of a long secret that counts as the secret. */
export const GRAM = 12;

const BASE = 0x01000193;
let top = 1;
for (let i = 1; i < GRAM; i++) top = Math.imul(top, BASE);
/** What the oldest character of a window is worth in its hash. */
const TOP = top;

/** A place in a text where something secret stands. */
export interface Hit {
  start: number;
  end: number;
  label: string;
  /** The whole secret, not a part of it. */
  whole: boolean;
}

interface Entry {
  label: string;
  bleedsLeft: boolean;
  bleedsRight: boolean;
}

const isBase64Char = (code: number): boolean =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 43 ||
  code === 45 ||
  code === 47 ||
  code === 95;

/** Finds forms of at least `GRAM` characters, whole or in part. */
export class GramIndex {
  /** All forms one after another, as UTF-16 units. */
  private corpus = new Uint16Array(1 << 12);
  private corpusLength = 0;
  /** For each place of the corpus, its label. */
  private labelAt = new Uint32Array(1 << 12);
  private labels: string[] = [];
  private labelNumbers = new Map<string, number>();
  /** Open addressing: place in the corpus + 1, 0 where free. One slot for each different gram. */
  private table = new Int32Array(1 << 13);
  private used = 0;
  private wholes = new Map<string, Entry>();
  /** Place of a gram in the corpus -> lengths of the forms that begin with it, longest first. */
  private lengthsFrom = new Map<number, number[]>();

  get size(): number {
    return this.wholes.size;
  }

  /** Adds a form of at least `GRAM` characters. */
  add(text: string, entry: Entry): void {
    if (this.wholes.has(text)) return;
    this.wholes.set(text, entry);
    const start = this.append(text, entry.label);
    let hash = 0;
    for (let i = 0; i < text.length; i++) {
      if (i >= GRAM) hash = (hash - Math.imul(text.charCodeAt(i - GRAM), TOP)) | 0;
      hash = (Math.imul(hash, BASE) + text.charCodeAt(i)) | 0;
      if (i < GRAM - 1) continue;
      const place = this.insert(hash, start + i - GRAM + 1);
      if (i === GRAM - 1) {
        const lengths = this.lengthsFrom.get(place) ?? [];
        if (!lengths.includes(text.length)) {
          this.lengthsFrom.set(
            place,
            [...lengths, text.length].sort((a, b) => b - a),
          );
        }
      }
    }
  }

  /** Every place in `text` where a form stands, whole or with at least `GRAM` characters of it, by start. */
  find(text: string): Hit[] {
    const hits: Hit[] = [];
    if (this.used === 0) return hits;
    let start = 0;
    let hash = 0;
    let filled = 0;
    while (start + GRAM <= text.length) {
      if (filled < GRAM) {
        hash = 0;
        for (let i = 0; i < GRAM; i++) hash = (Math.imul(hash, BASE) + text.charCodeAt(start + i)) | 0;
        filled = GRAM;
      }
      const place = this.lookup(hash, text, start);
      if (place >= 0) {
        const hit = this.wholeAt(text, start, place) ?? this.partAt(text, start, place);
        hits.push(hit);
        // Windows that straddle the end may continue it with another secret's characters.
        const next = hit.whole ? hit.end : Math.max(start + 1, hit.end - GRAM + 1);
        if (next > start + 1) {
          start = next;
          filled = 0;
          continue;
        }
      }
      hash =
        (Math.imul((hash - Math.imul(text.charCodeAt(start), TOP)) | 0, BASE) +
          text.charCodeAt(start + GRAM)) |
        0;
      start++;
    }
    return hits;
  }

  private wholeAt(text: string, start: number, place: number): Hit | undefined {
    for (const length of this.lengthsFrom.get(place) ?? []) {
      const entry = this.wholes.get(text.slice(start, start + length));
      if (!entry) continue;
      const end = start + length;
      const left = entry.bleedsLeft && start > 0 && isBase64Char(text.charCodeAt(start - 1)) ? 1 : 0;
      const right = entry.bleedsRight && end < text.length && isBase64Char(text.charCodeAt(end)) ? 1 : 0;
      return { start: start - left, end: end + right, label: entry.label, whole: true };
    }
    return undefined;
  }

  private partAt(text: string, start: number, place: number): Hit {
    let length = GRAM;
    // A zero in the corpus ends a form; a zero in the text never equals one that is past the end.
    while (start + length < text.length && place + length < this.corpusLength) {
      const code = this.corpus[place + length]!;
      if (code === 0 || code !== text.charCodeAt(start + length)) break;
      length++;
    }
    return { start, end: start + length, label: this.labels[this.labelAt[place]!]!, whole: false };
  }

  private append(text: string, label: string): number {
    const need = this.corpusLength + text.length + 1;
    if (need > this.corpus.length) {
      const size = Math.max(need, this.corpus.length * 2);
      const corpus = new Uint16Array(size);
      corpus.set(this.corpus);
      this.corpus = corpus;
      const labelAt = new Uint32Array(size);
      labelAt.set(this.labelAt);
      this.labelAt = labelAt;
    }
    const number = this.labelNumbers.get(label) ?? this.labels.push(label) - 1;
    this.labelNumbers.set(label, number);
    const start = this.corpusLength;
    for (let i = 0; i < text.length; i++) this.corpus[start + i] = text.charCodeAt(i);
    this.labelAt.fill(number, start, start + text.length);
    this.corpusLength = need;
    return start;
  }

  /** Puts the gram at `place` into the table unless an equal one is there; answers where the gram stands. */
  private insert(hash: number, place: number): number {
    if (this.used * 2 >= this.table.length) this.grow();
    const mask = this.table.length - 1;
    for (let slot = mix(hash) & mask; ; slot = (slot + 1) & mask) {
      const other = this.table[slot]! - 1;
      if (other < 0) {
        this.table[slot] = place + 1;
        this.used++;
        return place;
      }
      if (this.sameGram(other, place)) return other;
    }
  }

  private grow(): void {
    const old = this.table;
    this.table = new Int32Array(old.length * 2);
    const mask = this.table.length - 1;
    for (const entry of old) {
      if (entry === 0) continue;
      let hash = 0;
      for (let i = 0; i < GRAM; i++) hash = (Math.imul(hash, BASE) + this.corpus[entry - 1 + i]!) | 0;
      let slot = mix(hash) & mask;
      while (this.table[slot] !== 0) slot = (slot + 1) & mask;
      this.table[slot] = entry;
    }
  }

  private sameGram(a: number, b: number): boolean {
    for (let i = 0; i < GRAM; i++) if (this.corpus[a + i] !== this.corpus[b + i]) return false;
    return true;
  }

  private lookup(hash: number, text: string, start: number): number {
    const mask = this.table.length - 1;
    for (let slot = mix(hash) & mask; ; slot = (slot + 1) & mask) {
      const place = this.table[slot]! - 1;
      if (place < 0) return -1;
      let i = 0;
      while (i < GRAM && this.corpus[place + i] === text.charCodeAt(start + i)) i++;
      if (i === GRAM) return place;
    }
  }
}

/** Spreads a rolling hash over the low bits. */
function mix(hash: number): number {
  const x = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (x ^ (x >>> 13)) >>> 0;
}
