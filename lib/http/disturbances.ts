/**
 * What a run knows about the network between it and the target: which answers the network or a gateway may
 * have caused, and which of these have turned out to be the service's own.
 */
import type { Exchange } from '../model/results.ts';
import { doubtOf, GATEWAY_ERRORS, isGatewayStatus, isUnsure, kindOf, placeOf, requestText } from './doubt.ts';
import { originOf } from './origin.ts';

/**
 * How many answers of one endpoint must have the same status, and what share of them must be damaged, for the
 * damage to count as the service's own.
 */
const LEAST_ALIKE = 6;
const NEARLY_ALL = 0.9;
/** How many must have the same status where another endpoint gave the same answer, as gateways do. */
const LEAST_ALIKE_ELSEWHERE = 12;
/**
 * How many answers in a row with the same doubtful status it takes for them to count as the endpoint's own: no
 * network does that.
 */
const LEAST_IN_A_ROW = 10;
/**
 * How often other requests must have been served between such answers. Where none was, the whole target may
 * have been down, or several times if they were few.
 */
const LEAST_SERVED_BETWEEN = 3;

/** See the module comment. */
export class Disturbances {
  /**
   * How many signs of a disturbed connection were seen: answers that were lost, that a gateway gave, or that
   * differed from one time to the next.
   */
  signs = 0;
  /** By kind: how many requests may or may not have taken effect, and one of them. */
  readonly #unsure = new Map<string, { count: number; exchange: Exchange }>();
  /** Kinds of answers in doubt. 429 is left out, since checks of a rate limit provoke it on purpose. */
  readonly #inDoubt = new Set<string>();
  readonly #resent = new WeakSet<Exchange>();
  /** Kinds of answers that were the same on every repetition, and so are the service's own. */
  readonly #steady = new Set<string>();
  /** How many answers of an origin were beyond doubt so far, and how many before each exchange. */
  readonly #served = new Map<string, number>();
  readonly #servedBefore = new WeakMap<Exchange, number>();
  /** The last read of an origin that was answered beyond doubt. */
  readonly #servedRead = new Map<string, Exchange>();
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
    this.#noteServed(exchange);
    if (doubtOf(exchange) !== undefined && exchange.response?.status !== 429)
      this.#inDoubt.add(kindOf(exchange));
    if (isUnsure(exchange)) {
      const kind = kindOf(exchange);
      this.#unsure.set(kind, { count: (this.#unsure.get(kind)?.count ?? 0) + 1, exchange });
    }
    if (exchange.error !== undefined || GATEWAY_ERRORS.includes(exchange.response?.status ?? 0))
      this.signs += 1;
  }

  #noteServed(exchange: Exchange): void {
    const origin = originOf(exchange.request.url);
    const served = this.#served.get(origin) ?? 0;
    this.#servedBefore.set(exchange, served);
    // A hook may be offered by something else behind the same address.
    if (exchange.hook !== undefined || doubtOf(exchange) !== undefined) return;
    this.#served.set(origin, served + 1);
    if (exchange.request.method === 'GET') this.#servedRead.set(origin, exchange);
  }

  /** Returns the last read of the same origin that was answered beyond doubt. */
  servedRead(exchange: Exchange): Exchange | undefined {
    return this.#servedRead.get(originOf(exchange.request.url));
  }

  /** Returns whether the target has given an answer beyond doubt since an exchange. */
  isServedSince(exchange: Exchange): boolean {
    const served = this.#served.get(originOf(exchange.request.url)) ?? 0;
    return served > (this.#servedBefore.get(exchange) ?? 0);
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

  /** Returns whether the endpoint of an exchange answered another request with the same headers with a success. */
  hasServedOthers(exchange: Exchange): boolean {
    const others = this.#byPlace.get(placeOf(exchange)) ?? [];
    const headers = headersOf(exchange);
    return others.some((each) => isSuccess(each.response?.status ?? 0) && headersOf(each) === headers);
  }

  /** Returns whether another endpoint gave such a doubtful answer as well, for the same reason. */
  isElsewhere(exchange: Exchange): boolean {
    const doubt = this.doubtOf(exchange);
    const own = kindOf(exchange);
    return (
      doubt !== undefined && [...this.#inDoubt].some((kind) => kind !== own && kind.endsWith(` ${doubt}`))
    );
  }

  /** How many requests of this run may or may not have taken effect, because their answers are in doubt. */
  get unsure(): number {
    let sum = 0;
    for (const { count, exchange } of this.#unsure.values())
      if (this.doubtOf(exchange) !== undefined) sum += count;
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
    if (status === undefined || exchange.error !== undefined || GATEWAY_ERRORS.includes(status)) return false;
    const place = placeOf(exchange);
    const all = this.#byPlace.get(place) ?? [];
    const known = this.#own.get(`${status} ${place}`);
    if (known?.count === all.length) return known.isOwn;
    const isOwn = isGatewayStatus(status) ? this.#isInARow(all, status) : this.#isDamagedAlways(all, status);
    this.#own.set(`${status} ${place}`, { count: all.length, isOwn });
    return isOwn;
  }

  /**
   * Returns whether these exchanges had a status often enough in a row, while other requests were served, for it
   * to be the service's own.
   */
  #isInARow(exchanges: readonly Exchange[], status: number): boolean {
    let from = 0;
    for (const [i, { response }] of exchanges.entries()) {
      if (response?.status === status) continue;
      if (this.#isRow(exchanges.slice(from, i))) return true;
      from = i + 1;
    }
    return this.#isRow(exchanges.slice(from));
  }

  #isRow(exchanges: readonly Exchange[]): boolean {
    return exchanges.length >= LEAST_IN_A_ROW && this.#servedBetween(exchanges) >= LEAST_SERVED_BETWEEN;
  }

  /**
   * Returns whether nearly all answers with a status are damaged, other requests were served meanwhile, and none
   * of the damaged ones comes and goes, there or at another endpoint. A success counts with successes of every
   * status: a gateway's page has 200, whatever the endpoint answers.
   */
  #isDamagedAlways(exchanges: readonly Exchange[], status: number): boolean {
    const isLike = (other = 0): boolean => other === status || (isSuccess(status) && isSuccess(other));
    const alike = exchanges.filter(({ response }) => isLike(response?.status));
    const damaged = alike.filter((each) => doubtOf(each) !== undefined);
    const elsewhere = this.#elsewhere(damaged, status);
    const least = elsewhere.length === 0 ? LEAST_ALIKE : LEAST_ALIKE_ELSEWHERE;
    return (
      alike.length >= least &&
      damaged.length / alike.length >= NEARLY_ALL &&
      this.#servedBetween(damaged) >= LEAST_SERVED_BETWEEN &&
      ![exchanges, ...elsewhere].some((each) => comeAndGo(each, status))
    );
  }

  /** Returns the exchanges of each other endpoint that gave one of these damaged answers, too. */
  #elsewhere(damaged: readonly Exchange[], status: number): Exchange[][] {
    const texts = new Set(damaged.map(({ response }) => response?.body.text));
    const own = new Set(damaged);
    const isSame = (each: Exchange) =>
      each.response?.status === status && texts.has(each.response.body.text) && !own.has(each);
    return [...this.#byPlace.values()].filter((others) => others.some(isSame));
  }

  /** Returns between how many of these exchanges and the next one other requests were served. */
  #servedBetween(exchanges: readonly Exchange[]): number {
    return new Set(exchanges.map((each) => this.#servedBefore.get(each))).size - 1;
  }
}

/** Returns the headers of a request as text, whichever token it carries. */
const headersOf = ({ request }: Exchange): string =>
  request.headers
    .map(([name, value]) => (/^authorization$/i.test(name) ? name : `${name}: ${value}`).toLowerCase())
    .sort()
    .join('\n');

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/**
 * Returns whether damaged answers with this status come and go: a sound one to the same request was given later, or a
 * sound refusal earlier. That a change is refused once it was made is no sign of that; but a refusal makes no change, so
 * that where the damaged answers are refusals, other ones count whenever they came.
 */
function comeAndGo(exchanges: readonly Exchange[], status: number): boolean {
  const [lastServed, firstRefused] = [new Map<string, number>(), new Map<string, number>()];
  for (const [i, exchange] of exchanges.entries()) {
    if (doubtOf(exchange) !== undefined) continue;
    const { request, response } = exchange;
    const text = requestText(exchange);
    const isRefused = (response?.status ?? 0) >= 400;
    // Of the same change, sent several times at once, one may be made and the others refused.
    if (isRefused && !exchange.atOnce && !firstRefused.has(text)) firstRefused.set(text, i);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead || isSuccess(response?.status ?? 0)) lastServed.set(text, i);
  }
  return exchanges.some((exchange, i) => {
    if (doubtOf(exchange) === undefined || exchange.response?.status !== status) return false;
    const text = requestText(exchange);
    if ((lastServed.get(text) ?? -1) > i) return true;
    const refused = firstRefused.get(text);
    return refused !== undefined && (status >= 400 || (refused < i && !exchange.atOnce));
  });
}
