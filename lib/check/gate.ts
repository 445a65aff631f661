/** How something that is shared is passed: by those who change it, those who look at it, or one alone. */
type Use = 'change' | 'still' | 'alone';

/**
 * Keeps what may not happen at the same time apart where it happens: pages of a collection are walked while nothing in
 * it comes or goes. Whoever changes it does so beside others who do, and whoever looks at it beside others who look.
 * First come, first served.
 */
export class Gate {
  #inside = 0;
  #use: Use = 'change';
  readonly #aside: (turn: Promise<void>) => Promise<void>;
  readonly #queue: { use: Use; enter: () => void }[] = [];

  /** @param aside waits for a turn that others have to end first; see `TargetTime.whileAnother` */
  constructor(aside: (turn: Promise<void>) => Promise<void> = (turn) => turn) {
    this.#aside = aside;
  }

  /** Does something that changes the collection. */
  change<T>(work: () => Promise<T>): Promise<T> {
    return this.#pass('change', work);
  }

  /** Does something while nobody changes the collection. Must not change it itself. */
  still<T>(work: () => Promise<T>): Promise<T> {
    return this.#pass('still', work);
  }

  /** Does something while nobody else passes. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#pass('alone', work);
  }

  async #pass<T>(use: Use, work: () => Promise<T>): Promise<T> {
    const turn = new Promise<void>((enter) => {
      this.#queue.push({ use, enter });
      this.#admit();
    });
    await this.#aside(turn);
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
