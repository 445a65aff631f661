/** JSON in the one form that RFC 8785 gives it, so that a signature is over values and not over their layout. */

/**
 * Canonical JSON: no white space, members in the order of their names' UTF-16 code units, numbers as ECMAScript writes
 * them. Members that are undefined are left out, as `JSON.stringify` does.
 * @throws TypeError for what I-JSON (RFC 7493) does not have: lone surrogates, infinities, functions
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, each]) => each !== undefined)
      // Strings compare by code units.
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => `${canonicalJson(name)}:${canonicalJson(each)}`);
    return `{${members.join(',')}}`;
  }
  if (typeof value === 'string' && LONE_SURROGATE.test(value)) throw new TypeError('a lone surrogate');
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} is no JSON number`);
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`${typeof value} is no JSON value`);
  return text;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** A copy of JSON data in which no string has a lone surrogate: what a target sent may have some. */
export function wellFormed<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll(/\p{Surrogate}/gu, '\ufffd') as T;
  if (Array.isArray(value)) return value.map(wellFormed) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [wellFormed(k), wellFormed(v)])) as T;
}
