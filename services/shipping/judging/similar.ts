/** Values that resemble a token, secret or identifier, but differ in any comparison of the whole. */

/** Whether a text may be a hexadecimal number or a UUID, which a server may read in either letter case. */
function isHexadecimal(text: string): boolean {
  return /^[0-9a-f-]+$/i.test(text);
}

/**
 * Returns the text in the other letter case; `undefined` where it has no letters, or where it is hexadecimal,
 * since both cases may then mean the same value.
 */
export function inOtherCase(text: string): string | undefined {
  if (isHexadecimal(text)) return undefined;
  const swapped = [...text].map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join('');
  return swapped === text ? undefined : swapped;
}

/** Returns a text in capitals or, where it is in capitals already, in small letters. */
export function otherCase(text: string): string {
  const upper = text.toUpperCase();
  return upper === text ? text.toLowerCase() : upper;
}

/** Characters at the end of a token: so many that some are letters, fewer than a signature has. */
const END = 16;

/**
 * Returns the token with the letters at its end in the other case, while the content of a signed token, which is
 * before that, stays readable. `undefined` where the token may be read in either case.
 */
export function withEndInOtherCase(token: string): string | undefined {
  const end = isHexadecimal(token) ? undefined : inOtherCase(token.slice(-END));
  return end === undefined ? inOtherCase(token) : `${token.slice(0, -END)}${end}`;
}

/** Returns the token with other characters in place of the last four. */
export const withEndReplaced = (token: string): string =>
  `${token.slice(0, -4)}${token.endsWith('zzzz') ? 'yyyy' : 'zzzz'}`;

/** Returns values that differ slightly from `text`, each with a description of the difference. */
export function similarTo(text: string): [name: string, similar: string][] {
  const middle = Math.floor(text.length / 2);
  const cased = withEndInOtherCase(text);
  return [
    ['its end replaced', withEndReplaced(text)],
    ['cut short', text.slice(0, -4)],
    ['lengthened', `${text}abcd`],
    ['its first half', text.slice(0, middle)],
    ...(cased === undefined ? [] : [['its end in the other letter case', cased] as [string, string]]),
  ];
}

/** Returns the text in full-width letters, which NFKC normalisation turns into the plain ones. */
export function inFullWidth(text: string): string {
  return [...text]
    .map((c) => (c > ' ' && c <= '~' ? String.fromCharCode(c.charCodeAt(0) + FULL_WIDTH) : c))
    .join('');
}

/** Distance from an ASCII character to its full-width form (U+FF01 to U+FF5E). */
const FULL_WIDTH = 0xfee0;

/**
 * Returns secrets or client ids that differ slightly from `text`, each with a description of the difference.
 * However small that is, none of them is the same secret or client id.
 */
export function nearly(text: string): [name: string, similar: string][] {
  const cased = inOtherCase(text);
  return [
    ['cut short', text.slice(0, -1)],
    ['lengthened', `${text}x`],
    ['with a blank behind it', `${text} `],
    ['with a blank in front of it', ` ${text}`],
    ...(cased === undefined ? [] : [['in the other letter case', cased] as [string, string]]),
  ];
}
