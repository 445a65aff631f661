/** Strings that are almost an issued key. */
import { alterMiddle } from '../idp/compact.ts';

/**
 * Returns whether a string is a Bearer token by its grammar (RFC 6750 2.1): anything else may be refused as
 * malformed.
 */
export function isToken(text: string): boolean {
  return /^[\w.~+/-]+=*$/.test(text);
}

/** Returns the prefix that keys of one kind share: one or two words, each followed by a separator. */
function prefixOf(key: string): string {
  return /^(?:[A-Za-z]+[_-]){1,2}/.exec(key)?.[0] ?? '';
}

/** Returns the key with one character changed in the first third of what follows its prefix. */
export function alterBeginning(key: string): string {
  const prefix = prefixOf(key);
  const rest = key.slice(prefix.length);
  const third = Math.ceil(rest.length / 3);
  return prefix + alterMiddle(rest.slice(0, third)) + rest.slice(third);
}

/**
 * Returns the key with one character changed in its last third, but not the very last one, which may be
 * padding in part.
 */
export function alterEnd(key: string): string {
  const third = Math.ceil(key.length / 3);
  return key.slice(0, -third) + alterMiddle(key.slice(-third));
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Returns the key with its last character changed. In base64 the last bits of that character may be padding,
 * so its first bit is changed; `undefined` where the key ends in `=` or another character.
 */
export function alterLast(key: string): string | undefined {
  const last = key.slice(-1);
  const rest = key.slice(prefixOf(key).length);
  if (/^[0-9a-f]+$/.test(rest)) return key.slice(0, -1) + (last === '0' ? '1' : '0');
  const at = BASE64URL.indexOf(last);
  return at < 0 ? undefined : key.slice(0, -1) + BASE64URL[at ^ 32];
}

/**
 * Returns the key with the letters behind its prefix in the other case; `undefined` where they are all of one
 * case, as in a number in hexadecimal or base32, which may be decoded before it is compared.
 */
export function otherCase(key: string): string | undefined {
  const prefix = prefixOf(key);
  if (!/[a-z]/.test(key.slice(prefix.length)) || !/[A-Z]/.test(key.slice(prefix.length))) return undefined;
  const letters = [...key.slice(prefix.length)];
  return (
    prefix +
    letters.map((each) => (each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase())).join('')
  );
}

/**
 * Returns patterns of several kinds (SQL, a glob, a regular expression) that match the key but are not the
 * key, to catch a service that looks up keys by a pattern. Each is paired with a similar string without a
 * pattern in it.
 */
export function patternsFor(key: string): [pattern: string, other: string][] {
  const half = key.slice(0, Math.ceil(key.length / 2));
  // One character in the last third, but not the very last one, which may be padding in part.
  const at = key.length - Math.ceil(key.length / 6) - 1;
  const one = (character: string) => `${key.slice(0, at)}${character}${key.slice(at + 1)}`;
  const patterns: [string, string][] = ['%', '*', '.*'].map((any) => [half + any, `${half}z`]);
  patterns.push(['%', 'z'], ['*', 'z']);
  if (at >= 0 && key[at] !== '_') patterns.push([one('_'), one(key[at] === 'z' ? 'y' : 'z')]);
  return patterns;
}
