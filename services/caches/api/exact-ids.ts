/**
 * Ids of caches beyond 2^53. They are taken from the text of an answer, since several of them would become
 * equal if they were parsed as JavaScript numbers.
 */
import type { Answer } from '../../../lib/http/answer.ts';
import { valueAt } from '../../../lib/http/answer.ts';
import { withExactIntegers } from '../../../lib/http/exact-integers.ts';
import type { Entry } from './cache.ts';

/** Whether a value is the id of a cache: an integer, or the digits of one beyond 2^53. */
export function isId(id: unknown): id is number | string {
  return typeof id === 'string' ? /^-?\d{16,}$/.test(id) : Number.isInteger(id);
}

const isInexact = (id: unknown): boolean => Number.isInteger(id) && !Number.isSafeInteger(id);

/** Returns the entries of a list, in which each id beyond 2^53 is replaced by the string of its digits. */
export function withExactIds(entries: Entry[], answer: Answer): Entry[] {
  if (!entries.some(({ id }) => isInexact(id))) return entries;
  const exact = valueAt(JSON.parse(withExactIntegers(answer.text.replace(/^\ufeff/, ''))), '/actions_caches');
  const exactId = (i: number) => (exact as Entry[])[i]?.id;
  return entries.map((entry, i) => (isInexact(entry.id) ? { ...entry, id: exactId(i) } : entry));
}
