/** How long requests take at least, by origin: the way there and back, and the least that the target needs. */

/** The first round trips open connections, and one may be short by luck: so many are needed to tell. */
const ENOUGH = 12;
/** So many of the last ones tell how much they differ. */
const REMEMBERED = 32;

/** What was seen of one origin, in milliseconds. */
interface Seen {
  least: number;
  last: number[];
}

/** See the module comment. */
export class RoundTrips {
  readonly #seen = new Map<string, Seen>();
  readonly #distrusted = new Set<string>();

  /** Notes that a request to an origin was answered after so many milliseconds. */
  note(origin: string, ms: number): void {
    const seen = this.#seen.get(origin) ?? { least: ms, last: [] };
    this.#seen.set(origin, seen);
    seen.least = Math.min(seen.least, ms);
    seen.last.push(ms);
    if (seen.last.length > REMEMBERED) seen.last.shift();
  }

  /**
   * What any round trip takes at least, in milliseconds; also one that is put together of the way there of one request
   * and the way back of another. Where ways differ from one time to the next, such a one may be shorter than any that was seen:
   * twice by how much they usually differ from the shortest is taken off.
   * @returns 0 where too few were seen, or nothing may rest on it
   */
  leastMs(origin: string): number {
    const seen = this.#seen.get(origin);
    if (!seen || seen.last.length < ENOUGH || this.#distrusted.has(origin)) return 0;
    const median = [...seen.last].sort((a, b) => a - b)[seen.last.length >> 1] as number;
    return Math.max(0, seen.least - 2 * (median - seen.least));
  }

  /** The origin throttled a request that was paced: from now on nothing rests on how long its round trips take. */
  distrust(origin: string): void {
    this.#distrusted.add(origin);
  }
}
