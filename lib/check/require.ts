/** Preconditions of checks and fixtures. Each throws `Blocked`, naming the requirement that does not hold. */
import type { Answer } from '../http/answer.ts';
import { Blocked } from '../model/verdict.ts';

/**
 * Requires that the answer is a success (2xx).
 * @param by the requirement that does not hold if it is not
 * @throws Blocked
 */
export function requireOk(answer: Answer, by?: string): void {
  if (!answer.ok)
    throw new Blocked(`${answer.exchange.purpose}: answered ${answer.status}`, by, answer.exchange);
}
