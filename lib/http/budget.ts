import type { RunOptions } from '../config/types.ts';

/** The limits of a run. */
type Limits = Pick<RunOptions, 'maxRequests' | 'maxTimeMs' | 'sentBefore'>;

/**
 * Limits how many requests a run may send, calls of hooks included, and how long it may take. A limit that is
 * absent in the options does not apply.
 */
export class Budget {
  readonly #options: Limits;
  readonly #started = performance.now();
  #isLifted = false;
  #stopped: string | undefined;

  constructor(options: Limits) {
    this.#options = options;
  }

  /**
   * Returns why no further request may be sent, or `undefined` while one may.
   * @param requests how many were sent so far
   */
  spent(requests: number): string | undefined {
    const { maxRequests, maxTimeMs, sentBefore = 0 } = this.#options;
    if (this.#isLifted) return undefined;
    if (this.#stopped !== undefined) return this.#stopped;
    if (maxRequests !== undefined && requests + sentBefore >= maxRequests) {
      const before = sentBefore > 0 ? `, ${sentBefore} of them by the preflight` : '';
      return `the ${maxRequests} requests of this run are used up${before}; allow more with --max-requests`;
    }
    if (maxTimeMs !== undefined && performance.now() - this.#started >= maxTimeMs)
      return `the ${maxTimeMs / 1000} s of this run are over; allow more with --max-time`;
    return undefined;
  }

  /** Forbids every further request, for this reason. */
  stop(reason: string): void {
    this.#stopped = reason;
  }

  /** Removes every limit, for the cleanup: what the run made is removed however many requests that takes. */
  lift(): void {
    this.#isLifted = true;
  }
}
