/**
 * Makes text that a target controls harmless for a reader: whatever a terminal, a bidi algorithm or an XML
 * parser would act on is written out as a visible escape instead.
 */

const needsEscape =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to be made visible
  /\r\n|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]|[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g;

const notPlain = /[^\t\n -~]/;

/** Tag characters and the non-characters at the end of each plane: invisible, and no text needs them. */
function isInvisible(codePoint: number): boolean {
  return (codePoint >= 0xe0000 && codePoint <= 0xe0fff) || (codePoint & 0xfffe) === 0xfffe;
}

function escapeOne(char: string): string {
  if (char === '\r\n') return '\n';
  const code = char.codePointAt(0)!;
  if (char.length === 2) return isInvisible(code) ? `\\u{${code.toString(16)}}` : char;
  if (char === '\r') return '\\r';
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}

/**
 * Makes text inert: terminal escapes, control characters, bidi overrides, invisible characters and lone
 * surrogates become visible escapes (`\x1b`, `\u202e`). Line feeds and tabs stay, CRLF becomes LF. The result
 * is well-formed Unicode and consists of characters that XML 1.0 allows.
 */
export function inert(text: string): string {
  // Most texts are plain, and this test finds that quickly.
  if (!notPlain.test(text)) return text;
  return text.replace(needsEscape, escapeOne);
}

/**
 * Makes text inert and puts it on a single line of at most `limit` characters: line feeds become a visible
 * `\n`, tabs a space.
 */
export function inertLine(text: string, limit = Number.POSITIVE_INFINITY): string {
  const line = inert(limit === Number.POSITIVE_INFINITY ? text : text.slice(0, limit + 1))
    .replaceAll('\n', '\\n')
    .replaceAll('\t', ' ');
  return clip(line, limit);
}

/** Cuts text to at most `limit` characters. The cut is marked with `…` and never halves a character. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let end = Math.max(0, limit - 1);
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return `${text.slice(0, end)}…`;
}
