/** Texts that are nearly an issued key, and are not it. */
import { alterMiddle } from '../idp/compact.ts';

/** What keys of one kind begin with: a word or two with a separator behind each. */
function prefixOf(key: string): string {
  return /^(?:[A-Za-z]+[_-]){1,2}/.exec(key)?.[0] ?? '';
}

/** The key with one character changed in the first third of what follows its prefix. */
export function alterBeginning(key: string): string {
  const prefix = prefixOf(key);
  const rest = key.slice(prefix.length);
  const third = Math.ceil(rest.length / 3);
  return prefix + alterMiddle(rest.slice(0, third)) + rest.slice(third);
}

/** The key with one character changed in its last third, and not the last one: it may be padding in part. */
export function alterEnd(key: string): string {
  const third = Math.ceil(key.length / 3);
  return key.slice(0, -third) + alterMiddle(key.slice(-third));
}

/** The key with the letters behind its prefix in the other case. */
export function otherCase(key: string): string {
  const prefix = prefixOf(key);
  const letters = [...key.slice(prefix.length)];
  return (
    prefix +
    letters.map((each) => (each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase())).join('')
  );
}
