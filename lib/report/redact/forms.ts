/**
 * The ways one secret can be written: as it is, escaped, or inside base64.
 */

/** One way a secret can be written. */
export interface Form {
  text: string;
  /** The character before (after) a match also carries bits of the secret: base64 that is out of step. */
  bleedsLeft: boolean;
  bleedsRight: boolean;
}

const plain = (text: string): Form => ({ text, bleedsLeft: false, bleedsRight: false });

/** Lone surrogates replaced, since `encodeURIComponent` throws on them. */
const wellFormed = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');

/** `application/x-www-form-urlencoded` of a value. */
function formEncode(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

function jsonEscape(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function htmlEscape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/**
 * The characters of base64 that depend on `text` alone, for each of the three places where it can
 * start within a group of three bytes. Where the neighbours share a character with it, the form bleeds.
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
    });
  }
  return forms;
}

/** Every form of a secret, without repeats, the secret itself first. */
export function formsOf(secret: string): Form[] {
  const escaped = new Set([
    secret,
    encodeURIComponent(wellFormed(secret)),
    formEncode(secret),
    jsonEscape(secret),
    htmlEscape(secret),
    secret.replaceAll(' ', '+'),
  ]);
  const forms = new Map<string, Form>();
  for (const text of escaped) forms.set(text, plain(text));
  // Client credentials are form-encoded before they are base64-encoded (RFC 6749 2.3.1).
  for (const text of new Set([
    secret,
    encodeURIComponent(wellFormed(secret)),
    formEncode(secret),
    jsonEscape(secret),
  ])) {
    for (const form of base64Forms(text)) {
      const urlSafe = { ...form, text: form.text.replaceAll('+', '-').replaceAll('/', '_') };
      for (const one of [form, urlSafe]) if (!forms.has(one.text)) forms.set(one.text, one);
    }
  }
  return [...forms.values()];
}
