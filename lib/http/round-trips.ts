/**
 * Measures, by origin, how long requests take at least: the way there and back, and the least time that the
 * target needs.
 */

/** How many round trips must be seen: the first ones open connections, and one may be short by luck. */
const ENOUGH = 12;
/** How many of the latest round trips are used to find out how much they differ. */
const REMEMBERED = 32;
/** How much later requests come, in milliseconds, where the target's clock may be coarse. */
export const COARSE_CLOCK_MS = 10;

/** What was seen of one origin, in milliseconds. */
interface Seen {
  least: number;
  last: number[];
}

/** See the module comment. */
export class RoundTrips {
  readonly #seen = new Map<string, Seen>();
  readonly #distrusted = new Set<string>();

  /** Records that a request to an origin was answered after `ms`. */
  note(origin: string, ms: number): void {
    const seen = this.#seen.get(origin) ?? { least: ms, last: [] };
    this.#seen.set(origin, seen);
    seen.least = Math.min(seen.least, ms);
    seen.last.push(ms);
    if (seen.last.length > REMEMBERED) seen.last.shift();
  }

  /**
   * Returns by how many milliseconds less than one interval after an answer the next request may leave. That is
   * the least time of any round trip, even of one that consists of the way there of one request and the way back
   * of another. Where ways differ from one time to the next, such a combination may be shorter than any round
   * trip that was seen. So twice the usual difference from the shortest one is subtracted.
   * @returns 0 when too few were seen, and less where the origin is distrusted
   */
  leadMs(origin: string): number {
    if (this.#distrusted.has(origin)) return -COARSE_CLOCK_MS;
    const seen = this.#seen.get(origin);
    if (!seen || seen.last.length < ENOUGH) return 0;
    const median = [...seen.last].sort((a, b) => a - b)[seen.last.length >> 1] as number;
    return Math.max(0, seen.least - 2 * (median - seen.least));
  }

  /** Records that an origin throttled a paced request: from now on its round trips are not relied on. */
  distrust(origin: string): void {
    this.#distrusted.add(origin);
  }
}
