/**
 * The forms in which one secret can be written: as it is, escaped, reversed, in base64, base32 or
 * hexadecimal. Changes of case and the alphabet of base64url need no forms: the comparison ignores them
 * (form-index.ts).
 */
import { unescapedViews } from './views.ts';

/** One form in which a secret can be written. */
export interface Form {
  text: string;
  /**
   * The character before (or after) a match also carries bits of the secret: this is so in base64 when the
   * secret does not begin (or end) at a group of three bytes.
   */
  bleedsLeft: boolean;
  bleedsRight: boolean;
  /** The secret itself could be put in the place of an exact match, so that match is labelled as whole. */
  reversible: boolean;
}

const plain = (text: string, reversible = true): Form => ({
  text,
  bleedsLeft: false,
  bleedsRight: false,
  reversible,
});

/** Returns the text with lone surrogates replaced, since `encodeURIComponent` throws on them. */
const wellFormed = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');

/** Returns a value in the encoding `application/x-www-form-urlencoded`. */
function formEncode(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

function jsonEscape(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

const reversed = (text: string): string =>
  isAscii(text) ? Buffer.from(text, 'latin1').reverse().toString('latin1') : [...text].reverse().join('');

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/**
 * Returns the base32 of a text (RFC 4648 section 6), without padding, and without the last character where
 * that also depends on the bytes after the text.
 */
function base32(text: string): string {
  let out = '';
  let value = 0;
  let bits = 0;
  for (const byte of Buffer.from(text, 'utf8')) {
    value = ((value << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) out += BASE32[(value >> (bits - 5)) & 31];
  }
  return out;
}

/**
 * Returns the characters of base64 that depend on `text` alone, for each of the three positions within a
 * group of three bytes at which it can start. A character that also depends on a neighbouring byte is not
 * part of the form, which `bleedsLeft` and `bleedsRight` say.
 */
function base64Forms(text: string): Form[] {
  const bytes = Buffer.from(text, 'utf8');
  const forms: Form[] = [];
  for (let shift = 0; shift < 3; shift++) {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    const firstBit = shift * 8;
    const lastBit = (shift + bytes.length) * 8;
    const start = Math.ceil(firstBit / 6);
    const end = Math.floor(lastBit / 6);
    if (end - start < 6) continue;
    forms.push({
      text: encoded.slice(start, end),
      bleedsLeft: firstBit % 6 !== 0,
      bleedsRight: lastBit % 6 !== 0,
      reversible: true,
    });
  }
  return forms;
}

/**
 * Length in characters above which a secret is searched for only as it is and escaped, and not encoded: no
 * client would send so long a credential.
 */
const LONGEST_ENCODED = 8192;

/** Returns every form of a secret, without repeats, the secret itself first. */
export function formsOf(secret: string): Form[] {
  const forms = new Map<string, Form>();
  const put = (form: Form) => {
    if (!forms.has(form.text)) forms.set(form.text, form);
  };
  const written = [secret, encodeURIComponent(wellFormed(secret)), formEncode(secret), jsonEscape(secret)];
  for (const text of [...written, secret.replaceAll(' ', '+')]) put(plain(text));
  // A secret may itself contain what looks like an escape sequence, and a server may write it unescaped.
  for (const { text } of unescapedViews(secret)) put(plain(text));
  if (secret.length > LONGEST_ENCODED) return [...forms.values()];
  // The comparison ignores case in ASCII. Other letters need forms, since they may change in number (`ß`
  // becomes `SS`).
  const cases = isAscii(secret) ? [] : [secret.toUpperCase(), secret.toLowerCase()];
  for (const text of [...cases, reversed(secret)]) put(plain(text, false));
  // In decoded pieces, each character is one byte (decoded.ts): secrets with other characters are searched
  // for like that.
  for (const { text } of [...forms.values()])
    if (!isAscii(text)) put(plain(Buffer.from(text, 'utf8').toString('latin1'), false));
  const encoded = [
    ...written.slice(1).map((text) => plain(text, false)),
    plain(Buffer.from(secret, 'utf8').toString('hex'), false),
    { ...plain(base32(secret), false), bleedsRight: true },
    ...base64Forms(secret),
  ];
  for (const form of encoded) {
    put(form);
    put({ ...plain(reversed(form.text), false), bleedsLeft: form.bleedsRight, bleedsRight: form.bleedsLeft });
  }
  // Client credentials are form-encoded before they are base64-encoded (RFC 6749 2.3.1).
  for (const text of new Set(written)) for (const form of base64Forms(text)) put(form);
  return [...forms.values()];
}
