/**
 * What a run knows of the network between it and the target: which answers may be the network's doing, or a
 * gateway's, and which have been seen to be the service's own after all.
 */
import type { Exchange } from '../model/results.ts';
import { doubtOf, isGatewayStatus, isUnsure, kindOf, placeOf } from './doubt.ts';

/** What only a gateway answers. */
const GATEWAY = [502, 503, 504];
/**
 * How many answers of one endpoint with one status there have to be, nearly all of them damaged, before the damage is
 * taken for the service's own.
 */
const LEAST_ALIKE = 6;
const NEARLY_ALL = 0.9;
/**
 * How many answers of one endpoint in a row with the same doubtful status are taken for the service's own: no network
 * does that.
 */
const LEAST_IN_A_ROW = 10;

/** See the module comment. */
export class Disturbances {
  /** Signs of a disturbed connection: answers that were lost, that a gateway gave, or that differed from one time to the next. */
  signs = 0;
  /** Requests that may or may not have taken effect, by kind. */
  readonly #unsure = new Map<string, number>();
  /** Kinds of answers in doubt; 429 aside, which is asked for by those who look for a limit. */
  readonly #inDoubt = new Set<string>();
  readonly #resent = new WeakSet<Exchange>();
  /** Kinds of answers that came again each time: the service's own. */
  readonly #steady = new Set<string>();
  /** All exchanges of the run with an endpoint, in order. */
  readonly #byPlace = new Map<string, Exchange[]>();

  /** Notes what came of a request. */
  note(exchange: Exchange): void {
    const place = placeOf(exchange);
    const known = this.#byPlace.get(place);
    if (known) known.push(exchange);
    else this.#byPlace.set(place, [exchange]);
    if (doubtOf(exchange) !== undefined && exchange.response?.status !== 429)
      this.#inDoubt.add(kindOf(exchange));
    if (isUnsure(exchange)) {
      const kind = kindOf(exchange);
      this.#unsure.set(kind, (this.#unsure.get(kind) ?? 0) + 1);
    }
    if (exchange.error !== undefined || GATEWAY.includes(exchange.response?.status ?? 0)) this.signs += 1;
  }

  /** Notes that the request of a throttled answer is sent again: nothing rests on that answer. */
  noteResent(exchange: Exchange): void {
    this.#resent.add(exchange);
  }

  isResent(exchange: Exchange): boolean {
    return this.#resent.has(exchange);
  }

  /** Whether answers of other kinds than those of these exchanges are in doubt as well. */
  areOthersInDoubt(exchanges: readonly Exchange[]): boolean {
    const own = new Set(exchanges.map(kindOf));
    return [...this.#inDoubt].some((kind) => !own.has(kind) && !this.#isSteady(kind));
  }

  /** How many requests of this run may or may not have taken effect: their answers are in doubt. */
  get unsure(): number {
    let sum = 0;
    for (const [kind, count] of this.#unsure) if (!this.#isSteady(kind)) sum += count;
    return sum;
  }

  /** See `doubtOf`; what has come again each time, over a connection without disturbances, is not in doubt any more. */
  doubtOf(exchange: Exchange): string | undefined {
    const doubt = doubtOf(exchange);
    if (doubt === undefined || this.#isSteady(kindOf(exchange)) || this.#isOwn(exchange)) return undefined;
    return doubt;
  }

  /** Notes that an answer of this kind came again each time that its request was sent. */
  noteSteady(exchange: Exchange): void {
    if (doubtOf(exchange) !== undefined) this.#steady.add(kindOf(exchange));
  }

  #isSteady(kind: string): boolean {
    return this.signs === 0 && this.#steady.has(kind);
  }

  /** Whether the endpoint gives such answers again and again, as a network does not. */
  #isOwn(exchange: Exchange): boolean {
    const status = exchange.response?.status;
    if (status === undefined || exchange.error !== undefined || GATEWAY.includes(status)) return false;
    const all = this.#byPlace.get(placeOf(exchange)) ?? [];
    if (isGatewayStatus(status)) {
      let row = 0;
      for (const each of all) {
        row = each.response?.status === status ? row + 1 : 0;
        if (row >= LEAST_IN_A_ROW) return true;
      }
      return false;
    }
    const alike = all.filter((each) => each.response?.status === status);
    if (alike.length < LEAST_ALIKE) return false;
    const damaged = alike.filter((each) => doubtOf(each) !== undefined);
    return damaged.length / alike.length >= NEARLY_ALL;
  }
}
