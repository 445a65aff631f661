/** Integers beyond 2^53 in JSON, which `JSON.parse` rounds and `JSON.stringify` cannot write. */
import { randomUUID } from 'node:crypto';

/** Strings and numbers of a JSON text; what is in a string is passed over. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The same JSON text with its integers beyond 2^53 as strings of their digits. */
export function withExactIntegers(json: string): string {
  return json.replace(TOKENS, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
}

/** JSON of a value; a bigint becomes an integer. */
export function exactJson(value: unknown): string {
  let mark: string | undefined;
  const text = JSON.stringify(value, (_key, each: unknown) => {
    if (typeof each !== 'bigint') return each;
    // Begins no string of the value itself.
    mark ??= `${randomUUID()}:`;
    return `${mark}${each}`;
  });
  return mark === undefined ? text : text.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
}
