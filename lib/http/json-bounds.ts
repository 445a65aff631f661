/** Limits the JSON that is parsed: a body of some megabytes can take hundreds of times its size in memory. */

/** Far deeper than any resource of the specifications. */
const MOST_DEPTH = 200;
/** How many members of objects and items of arrays there may be, all together. */
const MOST_MEMBERS = 200_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** Returns why a text is not parsed; `undefined` when it may be. Takes time in proportion to its length. */
export function tooMuchJson(text: string): string | undefined {
  if (text.length <= MOST_MEMBERS && !opensOften(text)) return undefined;
  let depth = 0;
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) members += 1;
    // The codes of `[` and `{` differ in one bit only, as do those of `]` and `}`.
    else if ((code | 0x20) === 0x7b) {
      depth += 1;
      members += 1;
    } else if ((code | 0x20) === 0x7d) depth -= 1;
    if (depth > MOST_DEPTH) return `the JSON is nested more than ${MOST_DEPTH} levels deep; not read`;
    if (members > MOST_MEMBERS) return `the JSON has more than ${MOST_MEMBERS} members; not read`;
  }
  return undefined;
}

/** Returns whether a text may open enough arrays and objects to exceed the depth. */
function opensOften(text: string): boolean {
  let count = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0 && count <= MOST_DEPTH; at = text.indexOf(bracket, at + 1))
      count += 1;
  }
  return count > MOST_DEPTH;
}

/** Returns where the string that begins at `start` ends. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at;
  }
  return text.length;
}
