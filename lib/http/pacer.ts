import type { TargetTime } from './time.ts';

/**
 * Keeps one token within the target's stated rate: the next request leaves no sooner than one interval
 * after the previous answer came. Measured from answer to sending, the spacing at the target is never
 * shorter, whatever the network does, so the strictest reading of "N per second" is met.
 */
export class Pacer {
  readonly #time: TargetTime;
  readonly #intervalMs: number;
  #freeAt = 0;
  /** Requests under way or waiting for their turn. */
  #waiting = 0;
  #tail: Promise<void> = Promise.resolve();

  /** @param intervalMs least time between two requests with the same token; 0: no pacing */
  constructor(time: TargetTime, intervalMs: number) {
    this.#time = time;
    this.#intervalMs = intervalMs;
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

  /** Notes that an answer has just come. */
  used(): void {
    if (this.#intervalMs > 0) this.#freeAt = this.#time.elapsed() + this.#intervalMs;
  }

  /** Sends a request when it may leave. Requests that are asked for at once go one after the other. */
  async run<T>(send: () => Promise<T>): Promise<T> {
    const before = this.#tail;
    let done = () => {};
    this.#tail = new Promise((resolve) => {
      done = resolve;
    });
    this.#waiting += 1;
    try {
      await this.#time.whileAnother(before);
      await this.ready();
      return await send();
    } finally {
      this.used();
      this.#waiting -= 1;
      done();
    }
  }
}

/** The interval for a rate, in ms: a little more than the rate says, for clocks that round. */
export function intervalFor(perSecond: number): number {
  return 1000 / perSecond + 15;
}
