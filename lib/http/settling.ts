/**
 * Reads that lag behind writes: what follows a change waits until the target shows it. Nothing is asked before, so
 * that neither a change that is not seen yet is taken for a fault, nor one that comes later is missed.
 */
export class Settling {
  /** By how much the target's reads may lag, in milliseconds of real time. */
  ms: number;
  /** When the last change was answered. */
  #changedAt = Number.NEGATIVE_INFINITY;

  constructor(ms: number) {
    this.ms = ms;
  }

  /** Waits for what was changed last. Requests that are sent at once wait for the same time. */
  async wait(rest: (ms: number) => Promise<void>): Promise<void> {
    const left = this.#changedAt + this.ms - performance.now();
    if (left > 0) await rest(left);
  }

  /** Notes that a request with this method was answered, or may have been carried out. */
  note(method: string): void {
    if (method !== 'GET' && method !== 'HEAD') this.#changedAt = performance.now();
  }
}
