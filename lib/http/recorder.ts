import type { Exchange } from '../model/results.ts';
import { doubtOf, isUnsure, kindOf } from './doubt.ts';

/** What only a gateway answers. */
const GATEWAY = [502, 503, 504];

/** Keeps the exchanges of the check that is running. */
export class Recorder {
  /** While true, exchanges are counted but not kept (pacing through the clock hook). */
  quiet = false;
  /**
   * Told of every exchange before anything is made of it; `issues` says that it was asked for credentials.
   */
  onExchange: (exchange: Exchange, issues: boolean) => void = () => {};
  /** HTTP requests sent in this run. */
  count = 0;
  /** Signs of bad weather: answers that were lost, that a gateway gave, or that differed from one time to the next. */
  weather = 0;
  /** Requests that may or may not have taken effect, by kind. */
  readonly #unsure = new Map<string, number>();
  /** Kinds of answers that came again each time: the service's own. */
  readonly #steady = new Set<string>();
  #own: Exchange[] = [];
  #all: string[] = [];
  readonly #byId = new Map<string, Exchange>();
  readonly #shared = new Set<string>();

  /** How many requests of this run may or may not have taken effect: their answers are in doubt. */
  get unsure(): number {
    let sum = 0;
    for (const [kind, count] of this.#unsure) if (!this.#isSteady(kind)) sum += count;
    return sum;
  }

  /** See `doubtOf`; what has come again each time, in good weather, is not in doubt any more. */
  doubtOf(exchange: Exchange): string | undefined {
    const doubt = doubtOf(exchange);
    return doubt === undefined || this.#isSteady(kindOf(exchange)) ? undefined : doubt;
  }

  /** Notes that an answer of this kind came again each time that its request was sent. */
  noteSteady(exchange: Exchange): void {
    if (doubtOf(exchange) !== undefined) this.#steady.add(kindOf(exchange));
  }

  #isSteady(kind: string): boolean {
    return this.weather === 0 && this.#steady.has(kind);
  }

  /** Starts a new check. */
  begin(): void {
    this.#own = [];
    this.#shared.clear();
  }

  /** Ends the check: its own exchanges, and the ids of earlier ones that it rests on. */
  end(): { exchanges: Exchange[]; sharedExchanges: string[] } {
    const own = new Set(this.#own.map((e) => e.id));
    return { exchanges: this.#own, sharedExchanges: [...this.#shared].filter((id) => !own.has(id)) };
  }

  nextId(): string {
    this.count += 1;
    return `x${this.count}`;
  }

  keep(exchange: Exchange, issues = false): void {
    this.onExchange(exchange, issues);
    if (isUnsure(exchange)) {
      const kind = kindOf(exchange);
      this.#unsure.set(kind, (this.#unsure.get(kind) ?? 0) + 1);
    }
    if (exchange.error !== undefined || GATEWAY.includes(exchange.response?.status ?? 0)) this.weather += 1;
    if (this.quiet) return;
    this.#own.push(exchange);
    this.#all.push(exchange.id);
    this.#byId.set(exchange.id, exchange);
  }

  /** An exchange of this check or of an earlier one. */
  find(id: string): Exchange | undefined {
    return this.#byId.get(id);
  }

  /** A place in the record, for `since`. */
  mark(): number {
    return this.#all.length;
  }

  /** Ids of the exchanges kept since a mark. */
  since(mark: number): string[] {
    return this.#all.slice(mark);
  }

  /** Notes that the running check rests on earlier exchanges. */
  share(ids: string[]): void {
    for (const id of ids) this.#shared.add(id);
  }
}
