/**
 * The time of day in a thread of the proof. Every case begins at the same time, a full second, so that
 * anything signed with a time is the same in each case. Nothing waits for time to pass.
 */
export class ProofClock {
  readonly #startMs: number;
  #began = 0;

  /** @param ms when each case begins, in milliseconds since the epoch */
  constructor(ms: number) {
    this.#startMs = Math.floor(ms / 1_000) * 1_000;
    this.begin();
    Date.now = () => this.#startMs + Math.floor(performance.now() - this.#began);
  }

  /** Has to be called when a case begins. */
  begin(): void {
    this.#began = performance.now();
  }

  /** Lets `ms` milliseconds pass immediately. */
  async pass(ms: number): Promise<void> {
    this.#began -= ms;
  }
}
