/** Interrupts of a command that has things to put back before it ends. */

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Listens to interrupts from `listen` until it is closed. A second one, of either kind, ends the process with status 130. */
export class Interrupts {
  readonly #abort = new AbortController();
  readonly #told: () => void;

  /** @param told called at the first interrupt */
  constructor(told: () => void) {
    this.#told = told;
  }

  /** Begins to listen. */
  listen(): this {
    for (const signal of SIGNALS) process.on(signal, this.#onInterrupt);
    return this;
  }

  /** Aborted when the user interrupts the command. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Stops listening, so that interrupts end the process again. */
  close(): void {
    for (const signal of SIGNALS) process.off(signal, this.#onInterrupt);
  }

  #onInterrupt = (): void => {
    if (this.signal.aborted) process.exit(130);
    this.#abort.abort();
    this.#told();
  };
}

/** What a command says at the first interrupt. */
export const INTERRUPTED = 'interrupted: stopping, then putting things back (press again to stop at once)';
