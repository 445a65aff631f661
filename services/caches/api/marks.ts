/** Recognises caches of a run by their keys. */
import { createHash } from 'node:crypto';
import { carries } from '../../../lib/check/journal/format.ts';

/** The digits by mark, kept since every entry of a list is compared with them. */
const known = new Map<string, string>();

/**
 * Returns the digits that represent the mark of a run in keys that must not contain letters. They are
 * fifteen, from a digest of the mark, so that no other key has them by chance; with one more digit they are still a
 * number that a server may take for an integer. The first is not 0.
 */
export function digitsOf(mark: string): string {
  const digits = known.get(mark) ?? digitsFrom(mark);
  known.set(mark, digits);
  return digits;
}

function digitsFrom(mark: string): string {
  const bits = createHash('sha256').update(`digits of ${mark}`).digest().readBigUInt64BE();
  return String(100_000_000_000_000n + (bits % 899_999_999_999_999n));
}

/** Whether a key contains the mark of a run, or the digits that represent it. */
export function isMarked(key: string, mark: string): boolean {
  return carries(key, mark) || key.includes(digitsOf(mark));
}
