/** How a target says that requests come too fast. */
import type { Answer } from './answer.ts';

/** Returns whether an answer is a usual way to say "too fast": 429, or 403 or 503 with a time to come back. */
export function isThrottled(answer: Answer): boolean {
  const { status } = answer;
  return status === 429 || ([403, 503].includes(status) && answer.header('retry-after').length > 0);
}

/** Returns `Retry-After` in milliseconds from now: a number of seconds or a date (RFC 9110 10.2.3). */
export function retryAfterMs(answer: Answer): number | undefined {
  const [value] = answer.header('retry-after');
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
