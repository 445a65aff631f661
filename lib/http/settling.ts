/**
 * For targets whose reads lag behind writes: each request after a change waits until reads show it. Otherwise
 * a check could take a change that is not visible yet for a fault, or miss a wrong change that becomes
 * visible later.
 */
export class Settling {
  /** By how much the target's reads may lag, in milliseconds of real time. */
  ms: number;
  /** When the last change was answered. */
  #changedAt = Number.NEGATIVE_INFINITY;

  constructor(ms: number) {
    this.ms = ms;
  }

  /** Waits until reads show the last change. Requests that are made together wait for the same time. */
  async wait(rest: (ms: number) => Promise<void>): Promise<void> {
    const left = this.#changedAt + this.ms - performance.now();
    if (left > 0) await rest(left);
  }

  /** Records that a request with this method was answered, or may have been carried out. */
  note(method: string): void {
    if (method !== 'GET' && method !== 'HEAD') this.changed();
  }

  /** Records that something was changed just now, if only by the target itself. */
  changed(): void {
    this.#changedAt = performance.now();
  }
}
