/** How a target says that requests come too fast. */
import type { Answer } from './answer.ts';
import { originOf } from './origin.ts';

/**
 * Returns whether an answer is a usual way to say "too fast": 429; 403 or 503 with a time to come back; or 403
 * with a header that says that no request is left.
 */
export function isThrottled(answer: Answer): boolean {
  const { status } = answer;
  if (status === 429) return true;
  if ([403, 503].includes(status) && answer.header('retry-after').length > 0) return true;
  return status === 403 && isUsedUp(answer);
}

const isUsedUp = (answer: Answer): boolean =>
  REMAINING.some((name) => answer.header(name)[0]?.trim() === '0');

/** Whether the answer says, or leaves no other reading than, that no request is left. */
const isNoneLeft = (answer: Answer): boolean =>
  isUsedUp(answer) || (answer.status === 429 && REMAINING.every((name) => answer.header(name).length === 0));

/** Headers that say how many requests are left, and when the count begins anew. */
const REMAINING = ['x-ratelimit-remaining', 'ratelimit-remaining'];
const RESET = ['x-ratelimit-reset', 'ratelimit-reset'];
/** A larger number of seconds is a time since 1970, and no duration. */
const LONGEST_DURATION_S = 1e9;

/**
 * Returns the time after which a target wants to be asked again, in milliseconds from now: `Retry-After`, a
 * number of seconds or a date (RFC 9110 10.2.3), or else the header that says when requests are counted anew.
 * @param now the target's time, in milliseconds since the epoch. A date may also be by the clock of a gateway, which
 *   no hook moves
 */
export function retryAfterMs(answer: Answer, now: number): number | undefined {
  const [value] = answer.header('retry-after');
  if (value === undefined) return resetMs(answer);
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  if (Number.isNaN(at)) return undefined;
  const ahead = [at - now, at - Date.now()].filter((ms) => ms > 0);
  return ahead.length === 0 ? 0 : Math.min(...ahead);
}

/**
 * Returns in how many milliseconds requests are counted anew, where none is left: a number of seconds, or a
 * time by the clock of the target. Returns undefined if that is not said, or is past.
 */
function resetMs(answer: Answer): number | undefined {
  const [value = ''] = RESET.flatMap((name) => answer.header(name));
  if (!isNoneLeft(answer) || !/^\d{1,12}$/.test(value)) return undefined;
  const now = Date.parse(answer.header('date')[0] ?? '') || Date.now();
  const ms = Number(value) * 1000 - (Number(value) < LONGEST_DURATION_S ? 0 : now);
  return ms > 0 ? ms : undefined;
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

/** The most that are counted: there are fewer tries to halve. */
const MOST_GIVEN_UP = 8;

/**
 * How many requests in a row were given up because a target kept throttling: of all to its origin, and of those
 * to one address, since a quota may be used up for some calls while others are served.
 */
export class GivenUp {
  readonly #counts = new Map<string, number>();

  of(url: string): number {
    return Math.max(...placesOf(url).map((place) => this.#counts.get(place) ?? 0));
  }

  another(url: string): void {
    const count = Math.min(this.of(url) + 1, MOST_GIVEN_UP);
    for (const place of placesOf(url)) this.#counts.set(place, count);
  }

  /** @param wasLetIn whether the answer shows that the address serves what it throttled before */
  served(url: string, wasLetIn: boolean): void {
    const [origin, address] = placesOf(url);
    this.#counts.delete(origin);
    if (wasLetIn) this.#counts.delete(address);
  }
}

const placesOf = (url: string): [origin: string, address: string] => [
  originOf(url),
  url.replace(/[?#].*/, ''),
];
