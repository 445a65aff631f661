import type { RunOptions } from '../config/types.ts';

/** How much a run may spend: requests, hooks included, and time. What is absent is not limited. */
export class Budget {
  readonly #options: Pick<RunOptions, 'maxRequests' | 'maxTimeMs'>;
  readonly #started = performance.now();
  #isLifted = false;
  #stopped: string | undefined;

  constructor(options: Pick<RunOptions, 'maxRequests' | 'maxTimeMs'>) {
    this.#options = options;
  }

  /**
   * Why no further request may be sent; undefined while one may.
   * @param requests sent so far
   */
  spent(requests: number): string | undefined {
    const { maxRequests, maxTimeMs } = this.#options;
    if (this.#isLifted) return undefined;
    if (this.#stopped !== undefined) return this.#stopped;
    if (maxRequests !== undefined && requests >= maxRequests)
      return `the ${maxRequests} requests of this run are used up; allow more with --max-requests`;
    if (maxTimeMs !== undefined && performance.now() - this.#started >= maxTimeMs)
      return `the ${maxTimeMs / 1000} s of this run are over; allow more with --max-time`;
    return undefined;
  }

  /** From now on no request may be sent. */
  stop(reason: string): void {
    this.#stopped = reason;
  }

  /** From now on nothing is limited: what was made is removed whatever it takes. */
  lift(): void {
    this.#isLifted = true;
  }
}
