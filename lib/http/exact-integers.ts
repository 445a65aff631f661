/** Handles integers beyond 2^53 in JSON, which `JSON.parse` rounds and `JSON.stringify` cannot write. */
import { randomUUID } from 'node:crypto';

/** Matches strings and numbers in a JSON text; strings only so that the digits in them are left alone. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Returns the JSON text with its integers beyond 2^53 replaced by strings of their digits. */
export function withExactIntegers(json: string): string {
  return json.replace(TOKENS, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
}

/** Returns the JSON of a value, in which each bigint becomes an integer. */
export function exactJson(value: unknown): string {
  let mark: string | undefined;
  const text = JSON.stringify(value, (_key, each: unknown) => {
    if (typeof each !== 'bigint') return each;
    // Random, so that no string in the value itself begins with it.
    mark ??= `${randomUUID()}:`;
    return `${mark}${each}`;
  });
  return mark === undefined ? text : text.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
}
