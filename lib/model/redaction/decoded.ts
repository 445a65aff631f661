/**
 * Decodes the pieces of a text that look like base64, hexadecimal or base32. Searching what they decode to
 * finds secrets that were written in one encoding and then in another.
 */

/** A decoded piece of a text. Each of its characters stands for one byte. */
export interface Decoded {
  text: string;
  /** Returns where the encoding of character `i` begins in the original text. */
  from(i: number): number;
  /** Returns where the encoding of character `i` ends in the original text. */
  to(i: number): number;
}

/** The least length of an encoded secret of 8 characters: 11 in base64, 13 in base32, 16 in hexadecimal. */
const LEAST = 11;
const pieces = /[\w+/-]{11,}/g;

/** An encoding in which each group of `characters` characters stands for `bytes` bytes. */
interface Encoding {
  is: RegExp;
  characters: number;
  bytes: number;
  /** How many starting positions are tried, since a piece may begin with characters of something else. */
  shifts: number;
  decode(text: string): string;
}

const latin1 = (text: string, encoding: BufferEncoding) => Buffer.from(text, encoding).toString('latin1');

// Base32 is rare, so it is only decoded from the beginning of a piece.
const ENCODINGS: readonly Encoding[] = [
  { is: /^[\w+/-]{11,}$/, characters: 4, bytes: 3, shifts: 4, decode: (text) => latin1(text, 'base64') },
  { is: /^[\da-f]{16,}$/i, characters: 2, bytes: 1, shifts: 2, decode: (text) => latin1(text, 'hex') },
  { is: /^[a-z2-7]{13,}$/i, characters: 8, bytes: 5, shifts: 1, decode: fromBase32 },
];

/** Returns every piece of a text that looks encoded, and where it begins. */
export function encodedPieces(text: string): Iterable<{ 0: string; index: number }> {
  return text.length < LEAST ? [] : text.matchAll(pieces);
}

/**
 * Yields what a piece decodes to in each encoding that it may be in, from each starting position within a
 * group of characters. `index` is where the piece begins in its text.
 */
export function* decodings(piece: string, index: number): Generator<Decoded> {
  const end = index + piece.length;
  for (const { is, characters, bytes, shifts, decode } of ENCODINGS) {
    if (!is.test(piece)) continue;
    for (let shift = 0; shift < shifts; shift++) {
      const start = index + shift;
      yield {
        text: decode(piece.slice(shift)),
        from: (i) => start + Math.floor((i * characters) / bytes),
        to: (i) => Math.min(start + Math.ceil(((i + 1) * characters) / bytes), end),
      };
    }
  }
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function fromBase32(text: string): string {
  const out: number[] = [];
  let value = 0;
  let bits = 0;
  for (const char of text.toUpperCase()) {
    value = ((value << 5) | BASE32.indexOf(char)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    out.push((value >> bits) & 0xff);
  }
  return Buffer.from(out).toString('latin1');
}
