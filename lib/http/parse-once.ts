/** Every JSON body is looked at twice: whether it is broken off, and then what it says. It is parsed once for both. */

/** The last text that was found to be JSON, until somebody takes its value. */
let last: { text: string; value: unknown } | undefined;

/** Whether a text is JSON. */
export function isJson(text: string): boolean {
  last = undefined;
  try {
    last = { text, value: JSON.parse(text) };
    return true;
  } catch {
    return false;
  }
}

/** The value of a JSON text; nobody else gets the same one. Throws a SyntaxError where it is none. */
export function parseJson(text: string): unknown {
  if (last?.text !== text) return JSON.parse(text);
  const { value } = last;
  last = undefined;
  return value;
}
