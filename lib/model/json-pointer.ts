/** JSON Pointers (RFC 6901): `/a~1b/0` names item 0 of the property `a/b`. */

/** Returns the name of a property as it stands in a pointer. */
export function escapeToken(name: string): string {
  return /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
}

/** Returns the names and indexes along a pointer, as text; none for `''`, which names the whole document. */
export function tokensOf(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescaped);
}

function unescaped(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token;
}
