/** Time on the target; `TargetTime` implements it. */
interface Time {
  /** Returns the time by which requests are paced, in milliseconds. */
  elapsed(): number;
  /** Returns the same at the latest moment that it may be. */
  latest(): number;
  /** Lets `ms` pass. */
  wait(ms: number): Promise<void>;
  /** Waits for what others do. */
  whileAnother<T>(works: Promise<T>): Promise<T>;
}

/** The most requests that may come together. */
const REMEMBERED = 4;

/**
 * Keeps one token within the target's stated rate. The target saw a request no later than its answer arrived
 * here minus the time of the way back, and sees the next one no earlier than it leaves plus the time of the
 * way there. So the next one may leave one interval after the answer, minus the least time of a round trip.
 * Then the spacing at the target is never shorter than the interval, whether it counts requests when they
 * arrive or when it answers them: the strictest reading of "N per second" is met. A slow answer delays the
 * next request. Where the target is known to serve N requests at once, N may come together, and the next ones
 * N intervals later: no more than N in any second either, and the clock is moved less often.
 */
export class Pacer {
  readonly #time: Time;
  readonly #intervalMs: number;
  readonly #leadMs: () => number;
  readonly #together: () => number;
  /** When the target had seen each of the latest requests, as far as is known. */
  #seenAt: number[] = [];
  /** How many requests are under way or waiting for their turn. */
  #waiting = 0;
  #tail: Promise<void> = Promise.resolve();
  /** See `beside`. */
  #beside: Pacer | undefined;

  /**
   * @param intervalMs least time between two requests with the same token; 0 means no pacing
   * @param leadMs returns how much sooner than one interval after an answer the next request may leave: the least
   *   time of a round trip, as far as that is known
   * @param together returns how many requests may come together, at most 4, and then none for as many intervals
   */
  constructor(
    time: Time,
    intervalMs: number,
    leadMs: () => number = () => 0,
    together: () => number = () => 1,
  ) {
    this.#time = time;
    this.#intervalMs = intervalMs;
    this.#leadMs = leadMs;
    this.#together = together;
  }

  get #freeAt(): number {
    const count = this.#beside ? 2 : this.#together();
    const before = this.#beside ? this.#beside.lastSeenAt : this.#seenAt.at(-count);
    return before === undefined ? 0 : before + count * this.#intervalMs;
  }

  /** When the next request may leave, on the scale of `TargetTime.elapsed()`; later if others are waiting. */
  get freeAt(): number {
    if (this.#waiting === 0) return this.#freeAt;
    return Math.max(this.#freeAt, this.#time.elapsed()) + this.#waiting * this.#intervalMs;
  }

  /** When the target had seen the latest request, as far as is known. */
  get lastSeenAt(): number | undefined {
    return this.#seenAt.at(-1);
  }

  /** Whether a request has been sent. */
  get isUsed(): boolean {
    return this.#seenAt.length + this.#waiting > 0;
  }

  /** Waits until a request may leave. */
  async ready(): Promise<void> {
    const waitMs = this.#freeAt - this.#time.elapsed();
    if (waitMs > 0) await this.#time.wait(waitMs);
  }

  /**
   * Records that a request has just ended.
   * @param isAnswered whether it is certain that the target has seen it; without an answer it may arrive
   *   later
   * @param laterMs by how many milliseconds the next request is to come later than usual
   */
  used(isAnswered = true, laterMs = 0): void {
    if (this.#intervalMs === 0) return;
    if (this.#beside) {
      this.#beside.used(isAnswered, this.#intervalMs);
      return;
    }
    const early = isAnswered ? this.#leadMs() : 0;
    const seenAt = this.#time.latest() - Math.min(early, this.#intervalMs) + laterMs;
    // Of two requests at once the first may be answered last.
    const last = this.#seenAt.at(-1) ?? seenAt;
    this.#seenAt = [...this.#seenAt, Math.max(seenAt, last)].slice(-REMEMBERED);
  }

  /**
   * Returns a pacer for a request with the same token that does not wait for one under way. It takes the place
   * of the request after that one: no others leave for two intervals before both, and for two after them.
   */
  beside(): Pacer {
    const pacer = new Pacer(this.#time, this.#intervalMs);
    pacer.#beside = this;
    return pacer;
  }

  /** Sends a request when it may leave. Requests made at the same time are sent one after the other. */
  async run<T>(send: () => Promise<T>): Promise<T> {
    const before = this.#tail;
    let done = () => {};
    this.#tail = new Promise((resolve) => {
      done = resolve;
    });
    this.#waiting += 1;
    let isAnswered = false;
    try {
      await this.#time.whileAnother(before);
      await this.ready();
      const answer = await send();
      isAnswered = true;
      return answer;
    } finally {
      this.used(isAnswered);
      this.#waiting -= 1;
      done();
    }
  }
}

/** How much longer than the rate demands an interval is, in milliseconds: clocks round. */
const ROUNDING_MS = 5;

/** Returns the interval for a rate, in milliseconds. */
export function intervalFor(perSecond: number): number {
  return 1000 / perSecond + ROUNDING_MS;
}
