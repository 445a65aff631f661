/**
 * What a run knows about the network between it and the target: which answers the network or a gateway may
 * have caused, and which of these have turned out to be the service's own.
 */
import type { Exchange } from '../model/results.ts';
import { doubtOf, isGatewayStatus, isUnsure, kindOf, placeOf, requestText } from './doubt.ts';

/** Statuses that only a gateway answers with. */
const GATEWAY = [502, 503, 504];
/**
 * How many answers of one endpoint must have the same status, and what share of them must be damaged, for the
 * damage to count as the service's own.
 */
const LEAST_ALIKE = 6;
const NEARLY_ALL = 0.9;
/**
 * How many answers in a row with the same doubtful status it takes for them to count as the endpoint's own:
 * no network does that.
 */
const LEAST_IN_A_ROW = 10;

/** See the module comment. */
export class Disturbances {
  /**
   * How many signs of a disturbed connection were seen: answers that were lost, that a gateway gave, or that
   * differed from one time to the next.
   */
  signs = 0;
  /** How many requests may or may not have taken effect, by kind. */
  readonly #unsure = new Map<string, number>();
  /** Kinds of answers in doubt. 429 is left out, since checks of a rate limit provoke it on purpose. */
  readonly #inDoubt = new Set<string>();
  readonly #resent = new WeakSet<Exchange>();
  /** Kinds of answers that were the same on every repetition, and so are the service's own. */
  readonly #steady = new Set<string>();
  /** All exchanges of the run with an endpoint, in order. */
  readonly #byPlace = new Map<string, Exchange[]>();
  /** By endpoint and status: whether such answers are the service's own, judged by how many exchanges. */
  readonly #own = new Map<string, { count: number; isOwn: boolean }>();

  /** Records the outcome of a request. */
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

  /** Records that a throttled request is sent again, so that no verdict depends on its first answer. */
  noteResent(exchange: Exchange): void {
    this.#resent.add(exchange);
  }

  isResent(exchange: Exchange): boolean {
    return this.#resent.has(exchange);
  }

  /** Returns whether answers of other kinds than those of these exchanges are in doubt as well. */
  areOthersInDoubt(exchanges: readonly Exchange[]): boolean {
    const own = new Set(exchanges.map(kindOf));
    return [...this.#inDoubt].some((kind) => !own.has(kind) && !this.#isSteady(kind));
  }

  /** How many requests of this run may or may not have taken effect, because their answers are in doubt. */
  get unsure(): number {
    let sum = 0;
    for (const [kind, count] of this.#unsure) if (!this.#isSteady(kind)) sum += count;
    return sum;
  }

  /**
   * Returns why an exchange may not be the service's own doing (see doubt.ts). Returns `undefined` where
   * there is no doubt, or none any more: the answer was the same on every repetition over an undisturbed
   * connection, or its endpoint answers like this again and again.
   */
  doubtOf(exchange: Exchange): string | undefined {
    const doubt = doubtOf(exchange);
    if (doubt === undefined || this.#isSteady(kindOf(exchange)) || this.#isOwn(exchange)) return undefined;
    return doubt;
  }

  /** Records that an answer of this kind was the same each time its request was sent. */
  noteSteady(exchange: Exchange): void {
    if (doubtOf(exchange) !== undefined) this.#steady.add(kindOf(exchange));
  }

  #isSteady(kind: string): boolean {
    return this.signs === 0 && this.#steady.has(kind);
  }

  /** Returns whether the endpoint answers like this so regularly that the network cannot be the cause. */
  #isOwn(exchange: Exchange): boolean {
    const status = exchange.response?.status;
    if (status === undefined || exchange.error !== undefined || GATEWAY.includes(status)) return false;
    const place = placeOf(exchange);
    const all = this.#byPlace.get(place) ?? [];
    const known = this.#own.get(`${status} ${place}`);
    if (known?.count === all.length) return known.isOwn;
    const isOwn = isGatewayStatus(status) ? isInARow(all, status) : isDamagedAlways(all, status);
    this.#own.set(`${status} ${place}`, { count: all.length, isOwn });
    return isOwn;
  }
}

/** Returns whether these exchanges had a status often enough in a row for it to be the service's own. */
function isInARow(exchanges: readonly Exchange[], status: number): boolean {
  let row = 0;
  for (const { response } of exchanges) {
    row = response?.status === status ? row + 1 : 0;
    if (row >= LEAST_IN_A_ROW) return true;
  }
  return false;
}

/** Returns whether nearly all answers with a status are damaged, and none of their requests was answered soundly later. */
function isDamagedAlways(exchanges: readonly Exchange[], status: number): boolean {
  const alike = exchanges.filter(({ response }) => response?.status === status);
  if (alike.length < LEAST_ALIKE) return false;
  const damaged = alike.filter((each) => doubtOf(each) !== undefined);
  return damaged.length / alike.length >= NEARLY_ALL && !comeAndGo(exchanges, status);
}

/** Returns whether one of the damaged answers with this status was later followed by a sound one to the same request. */
function comeAndGo(exchanges: readonly Exchange[], status: number): boolean {
  const soundLater = new Set<string>();
  for (const exchange of exchanges.toReversed()) {
    const request = requestText(exchange);
    const isDamaged = doubtOf(exchange) !== undefined;
    if (!isDamaged) soundLater.add(request);
    else if (exchange.response?.status === status && soundLater.has(request)) return true;
  }
  return false;
}
