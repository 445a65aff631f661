/** Preconditions of checks and fixtures. Each throws `Blocked`, naming the requirement that does not hold. */
import type { Answer } from '../http/answer.ts';
import { Blocked } from '../model/verdict.ts';

/**
 * Requires that the answer is a success (2xx).
 * @param by the requirement that does not hold if it is not
 * @throws Blocked
 */
export function requireOk(answer: Answer, by?: string): void {
  if (!answer.ok) throw new Blocked(`${answer.exchange.purpose}: answered ${answer.status}`, by);
}

/**
 * Requires that there is something to examine: a loop over nothing would pass without having seen anything.
 * @param what completes "there is no …"
 * @returns the items
 * @throws Blocked
 */
export function requireSome<T>(items: readonly T[], what: string, by?: string): readonly [T, ...T[]] {
  if (items.length === 0) throw new Blocked(`there is no ${what}, so that nothing can be looked at`, by);
  return items as readonly [T, ...T[]];
}
