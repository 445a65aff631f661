import type { TargetTime } from '../check/time.ts';

/**
 * Keeps one token within the target's stated rate: the next request leaves no sooner than one interval
 * after the previous answer came. Measured from answer to sending, the spacing at the target is never
 * shorter, whatever the network does, so the strictest reading of "N per second" is met.
 */
export class Pacer {
  readonly #time: TargetTime;
  readonly #intervalMs: number;
  #freeAt = 0;

  /** @param intervalMs least time between two requests with the same token; 0: no pacing */
  constructor(time: TargetTime, intervalMs: number) {
    this.#time = time;
    this.#intervalMs = intervalMs;
  }

  /** When the next request may leave, on the scale of `TargetTime.elapsed()`. */
  get freeAt(): number {
    return this.#freeAt;
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
}

/** The interval for a rate, in ms: a little more than the rate says, for clocks that round. */
export function intervalFor(perSecond: number): number {
  return 1000 / perSecond + 15;
}
