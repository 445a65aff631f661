/**
 * Keeps what may not happen at the same time apart where it happens: pages of a collection are walked while nothing in
 * it comes or goes. Whoever changes it does so beside others who do. First come, first served.
 */
export class Gate {
  #changing = 0;
  #isStill = false;
  readonly #aside: (turn: Promise<void>) => Promise<void>;
  readonly #queue: { use: 'change' | 'still'; enter: () => void }[] = [];

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

  async #pass<T>(use: 'change' | 'still', work: () => Promise<T>): Promise<T> {
    const turn = new Promise<void>((enter) => {
      this.#queue.push({ use, enter });
      this.#admit();
    });
    await this.#aside(turn);
    try {
      return await work();
    } finally {
      if (use === 'still') this.#isStill = false;
      else this.#changing -= 1;
      this.#admit();
    }
  }

  #admit(): void {
    for (let next = this.#queue[0]; next; next = this.#queue[0]) {
      if (this.#isStill || (next.use === 'still' && this.#changing > 0)) return;
      if (next.use === 'still') this.#isStill = true;
      else this.#changing += 1;
      this.#queue.shift();
      next.enter();
    }
  }
}
