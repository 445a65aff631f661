/** Values that are like a token, a secret or an identifier, and that any comparison of the whole tells from it. */

/** Whether a text reads the same to who takes it for a hexadecimal number or a UUID, in either letter case. */
function isHexadecimal(text: string): boolean {
  return /^[0-9a-f-]+$/i.test(text);
}

/** The text in the other letter case; `undefined` where it has no letters, or only those of hexadecimal digits. */
export function inOtherCase(text: string): string | undefined {
  if (isHexadecimal(text)) return undefined;
  const swapped = [...text].map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join('');
  return swapped === text ? undefined : swapped;
}

/** Near misses of `text`, each named by how it was altered. */
export function similarTo(text: string): [name: string, similar: string][] {
  const middle = Math.floor(text.length / 2);
  const cased = inOtherCase(text);
  return [
    ['its end replaced', `${text.slice(0, -4)}${text.endsWith('zzzz') ? 'yyyy' : 'zzzz'}`],
    ['cut short', text.slice(0, -4)],
    ['lengthened', `${text}abcd`],
    ['its first half', text.slice(0, middle)],
    ...(cased === undefined ? [] : [['in the other letter case', cased] as [string, string]]),
  ];
}

/** The text in full-width letters, which compatibility normalisation (NFKC) takes for the plain ones. */
export function inFullWidth(text: string): string {
  return [...text]
    .map((c) => (c > ' ' && c <= '~' ? String.fromCharCode(c.charCodeAt(0) + FULL_WIDTH) : c))
    .join('');
}

/** From a character of ASCII to its full-width form (U+FF01 to U+FF5E). */
const FULL_WIDTH = 0xfee0;

/** Secrets or client ids like `text`: any that differ are other ones. */
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
