/**
 * Parses each JSON body only once, although two places need it: one to see whether the body is complete, and
 * one for its value.
 */

/** The last text that was found to be JSON, until its value is taken. */
let last: { text: string; value: unknown } | undefined;

/** Returns whether a text is JSON. */
export function isJson(text: string): boolean {
  last = undefined;
  try {
    last = { text, value: JSON.parse(withoutMark(text)) };
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the value of a JSON text. Each call returns a value of its own, which no other caller shares.
 * @throws SyntaxError for a text that is not JSON
 */
export function parseJson(text: string): unknown {
  if (last?.text !== text) return JSON.parse(withoutMark(text));
  const { value } = last;
  last = undefined;
  return value;
}

/** Removes a byte order mark, which a parser may ignore (RFC 8259 8.1). */
function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
