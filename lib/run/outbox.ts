/** What the thread of a run has to tell of checks, gathered: to be told wakes the other thread each time. */
import type { Known, Redactor } from '../model/redaction/redactor.ts';
import type { CheckResult } from '../model/results.ts';

/** What a check came to, and the secrets that became known since the one before; the last secrets come alone. */
export interface Told {
  result?: CheckResult;
  secrets: Known[];
}

/** Results are told so far apart at least, in milliseconds: nobody who watches sees that. */
const APART_MS = 50;

/** Sends results together, in their order, each with the secrets that are to be known for it. */
export class Outbox {
  readonly #tell: (told: { results: Told[] }) => void;
  #results: Told[] = [];
  #secrets: Known[] = [];
  #timer: NodeJS.Timeout | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;

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
    const wait = this.#toldAt + APART_MS - performance.now();
    // Who stops a run at its first result does so while it is young.
    if (wait <= 0) this.send();
    else this.#timer ??= setTimeout(() => this.send(), wait);
  }

  /** Sends what there is, now. */
  send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#toldAt = performance.now();
    if (this.#secrets.length > 0) this.#results.push({ secrets: this.#secrets });
    this.#secrets = [];
    if (this.#results.length > 0) this.#tell({ results: this.#results });
    this.#results = [];
  }
}
