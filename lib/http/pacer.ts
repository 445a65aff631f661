import type { TargetTime } from './time.ts';

/**
 * Keeps one token within the target's stated rate. The target saw a request no later than the answer came less the way
 * back, and sees the next one no earlier than it leaves plus the way there. So the next one may leave one interval after
 * the answer, less what a round trip takes at least: whether the target counts requests as they come or as they are
 * answered, the spacing there is never shorter than the interval, so that the strictest reading of "N per second" is
 * met. An answer that is slow delays what follows.
 */
export class Pacer {
  readonly #time: TargetTime;
  readonly #intervalMs: number;
  readonly #leastRoundTripMs: () => number;
  #freeAt = 0;
  /** Requests under way or waiting for their turn. */
  #waiting = 0;
  #tail: Promise<void> = Promise.resolve();

  /**
   * @param intervalMs least time between two requests with the same token; 0: no pacing
   * @param leastRoundTripMs what a round trip takes at least, as far as that is known; with 0 the answer counts
   */
  constructor(time: TargetTime, intervalMs: number, leastRoundTripMs: () => number = () => 0) {
    this.#time = time;
    this.#intervalMs = intervalMs;
    this.#leastRoundTripMs = leastRoundTripMs;
  }

  /** When the next request may leave, on the scale of `TargetTime.elapsed()`; later while some are waiting. */
  get freeAt(): number {
    if (this.#waiting === 0) return this.#freeAt;
    return Math.max(this.#freeAt, this.#time.elapsed()) + this.#waiting * this.#intervalMs;
  }

  /** Waits until a request may leave. */
  async ready(): Promise<void> {
    const waitMs = this.#freeAt - this.#time.elapsed();
    if (waitMs > 0) await this.#time.wait(waitMs);
  }

  /**
   * Notes that a request has just ended.
   * @param isAnswered whether the target has seen it for sure; one that was not answered may reach it later
   */
  used(isAnswered = true): void {
    if (this.#intervalMs === 0) return;
    const early = isAnswered ? this.#leastRoundTripMs() : 0;
    this.#freeAt = this.#time.latest() + Math.max(0, this.#intervalMs - early);
  }

  /** Sends a request when it may leave. Requests that are asked for at once go one after the other. */
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

/** The interval for a rate, in ms: a little more than the rate says, for clocks that round. */
export function intervalFor(perSecond: number): number {
  return 1000 / perSecond + 15;
}
