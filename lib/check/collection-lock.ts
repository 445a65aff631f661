/** How a collection is used: to change it, to read it while nothing changes (`still`), or by one alone. */
type Use = 'change' | 'still' | 'alone';

/**
 * Keeps apart uses of a shared collection that must not overlap: its pages are read while nothing in it comes
 * or goes. Any number of callers may change it at the same time, or read it at the same time, but not both.
 * They get their turn in the order in which they asked.
 */
export class CollectionLock {
  #inside = 0;
  #use: Use = 'change';
  readonly #whileWaitingFor: (turn: Promise<void>) => Promise<void>;
  readonly #queue: { use: Use; enter: () => void }[] = [];

  /** @param whileWaitingFor waits for the caller's turn, until others have ended; see `TargetTime.whileAnother` */
  constructor(whileWaitingFor: (turn: Promise<void>) => Promise<void> = (turn) => turn) {
    this.#whileWaitingFor = whileWaitingFor;
  }

  /** Does work that changes the collection. */
  change<T>(work: () => Promise<T>): Promise<T> {
    return this.#pass('change', work);
  }

  /** Does work while nobody changes the collection. The work must not change it either. */
  still<T>(work: () => Promise<T>): Promise<T> {
    return this.#pass('still', work);
  }

  /** Does work while nobody else changes or reads the collection. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#pass('alone', work);
  }

  async #pass<T>(use: Use, work: () => Promise<T>): Promise<T> {
    const turn = new Promise<void>((enter) => {
      this.#queue.push({ use, enter });
      this.#admit();
    });
    await this.#whileWaitingFor(turn);
    try {
      return await work();
    } finally {
      this.#inside -= 1;
      this.#admit();
    }
  }

  #admit(): void {
    for (let next = this.#queue[0]; next; next = this.#queue[0]) {
      if (this.#inside > 0 && (next.use !== this.#use || next.use === 'alone')) return;
      this.#use = next.use;
      this.#inside += 1;
      this.#queue.shift();
      next.enter();
    }
  }
}
