/** What the thread of a run has to tell of checks, gathered: to be told wakes the other thread each time. */
import type { Known, Redactor } from '../model/redaction/redactor.ts';
import type { CheckResult } from '../model/results.ts';

/** What a check came to, and the secrets that became known since the one before; the last secrets come alone. */
export interface Told {
  result?: CheckResult;
  secrets: Known[];
}

/** A result waits so long for others at most, in milliseconds: nobody who watches sees that. */
const LONGEST_MS = 50;

/** Sends results together, in their order, each with the secrets that are to be known for it. */
export class Outbox {
  readonly #tell: (told: { results: Told[] }) => void;
  #results: Told[] = [];
  #secrets: Known[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param secrets of which it is told what comes to be known from now on */
  constructor(secrets: Pick<Redactor, 'onKnown'>, tell: (told: { results: Told[] }) => void) {
    this.#tell = tell;
    secrets.onKnown = (known) => this.#secrets.push(known);
  }

  put(result: CheckResult): void {
    // As it is now: what is sent between checks is added to the exchanges of the last one, and its secrets come later.
    const { exchanges, findings } = result;
    const asItIs = { ...result, exchanges: [...exchanges], findings: [...findings] };
    this.#results.push({ result: asItIs, secrets: this.#secrets });
    this.#secrets = [];
    this.#timer ??= setTimeout(() => this.send(), LONGEST_MS);
  }

  /** Sends what there is, now. */
  send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#secrets.length > 0) this.#results.push({ secrets: this.#secrets });
    this.#secrets = [];
    if (this.#results.length > 0) this.#tell({ results: this.#results });
    this.#results = [];
  }
}
