/** The canonical form of JSON in RFC 8785, so that a signature covers values and not their layout. */

/**
 * Returns canonical JSON: no white space, members in the order of their names' UTF-16 code units, numbers as
 * ECMAScript writes them. Members that are undefined are left out, as `JSON.stringify` does.
 * @throws TypeError for what I-JSON (RFC 7493) does not allow: lone surrogates, infinities, functions
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new TypeError('a lone surrogate');
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    let members = '';
    // JavaScript compares strings by UTF-16 code units, as the RFC demands.
    for (const name of Object.keys(value).sort()) {
      const each = (value as Record<string, unknown>)[name];
      if (each === undefined) continue;
      members += `${members === '' ? '' : ','}${canonicalJson(name)}:${canonicalJson(each)}`;
    }
    return `{${members}}`;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} is no JSON number`);
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`${typeof value} is no JSON value`);
  return text;
}

/**
 * Yields the canonical form of a report in pieces, so that the whole is never in memory at once. Lone
 * surrogates are replaced, as `wellFormed` does.
 */
export function* canonicalPieces(report: object): Generator<string> {
  let before = '{';
  for (const name of Object.keys(report).sort()) {
    const value = (report as Record<string, unknown>)[name];
    if (value === undefined) continue;
    yield `${before}${repaired(name)}:`;
    before = ',';
    if (Array.isArray(value) && value.length > 0) {
      for (const [i, each] of value.entries()) yield `${i === 0 ? '[' : ','}${repaired(each)}`;
      yield ']';
    } else yield repaired(value);
  }
  yield before === '{' ? '{}' : '}';
}

/** Copies data only if it has a lone surrogate, which most does not. */
function repaired(value: unknown): string {
  try {
    return canonicalJson(value);
  } catch {
    return canonicalJson(wellFormed(value));
  }
}

/** Returns a copy of JSON data in which no string has a lone surrogate; what a target sent may have some. */
export function wellFormed<T>(value: T): T {
  if (typeof value === 'string') return value.toWellFormed() as T;
  if (Array.isArray(value)) return value.map(wellFormed) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [wellFormed(k), wellFormed(v)])) as T;
}
