/** Gathers the results of checks before it sends them, because each message wakes the main thread. */
import type { Known, Redactor } from '../model/redaction/redactor.ts';
import type { CheckResult } from '../model/results.ts';

/**
 * The result of a check, with the secrets that became known
 * since the previous one. The last secrets have no result.
 */
export interface Told {
  result?: CheckResult;
  secrets: Known[];
}

/**
 * The least time between two messages, in milliseconds; too
 * short for anyone who watches the progress to notice.
 */
const APART_MS = 50;

/** Sends results together, in their order, each with the secrets that the receiver needs to redact it. */
export class Outbox {
  readonly #tell: (told: { results: Told[] }) => void;
  #results: Told[] = [];
  #secrets: Known[] = [];
  #timer: NodeJS.Timeout | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;

  /** @param secrets whatever becomes known to it from now on is sent along */
  constructor(secrets: Pick<Redactor, 'onKnown'>, tell: (told: { results: Told[] }) => void) {
    this.#tell = tell;
    secrets.onKnown = (known) => this.#secrets.push(known);
  }

  put(result: CheckResult): void {
    // Copied, because requests between checks are added to the exchanges of the last check, and the secrets
    // of these requests are sent only later.
    const { exchanges, findings } = result;
    const asItIs = { ...result, exchanges: [...exchanges], findings: [...findings] };
    this.#results.push({ result: asItIs, secrets: this.#secrets });
    this.#secrets = [];
    const wait = this.#toldAt + APART_MS - performance.now();
    // The first result is not delayed, so that whoever stops a run at its first result can do so early.
    if (wait <= 0) this.send();
    else this.#timer ??= setTimeout(() => this.send(), wait);
  }

  /** Sends everything gathered so far. */
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
