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

/** The shortest and the longest rest before a request, in milliseconds. */
const LEAST_REST_MS = 25;
const MOST_REST_MS = 1_000;
/** By how much rests grow with each refusal, and shrink with each request that is served. */
const GROWTH = 2;
const SHRINKAGE = 0.97;

/**
 * How long to rest before each request to targets that throttle without saying for how long: longer with each
 * refusal, and a little shorter with each request that is served.
 */
export class Slowness {
  readonly #restMs = new Map<string, number>();

  of(origin: string): number {
    return this.#restMs.get(origin) ?? 0;
  }

  refused(origin: string): void {
    this.#restMs.set(origin, Math.min(MOST_REST_MS, Math.max(LEAST_REST_MS, GROWTH * this.of(origin))));
  }

  served(origin: string): void {
    const shorter = SHRINKAGE * this.of(origin);
    if (shorter >= LEAST_REST_MS / GROWTH) this.#restMs.set(origin, shorter);
    else this.#restMs.delete(origin);
  }
}
