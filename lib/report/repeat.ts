/**
 * Writes a shell script that repeats a failure from nothing: it gets its own token, makes what is needed,
 * sends the request that caused the failure and the one that shows it. Values that the target gives out
 * (tokens, ids) are taken from its answers; secrets that the user has are variables. It needs a POSIX shell,
 * curl, grep and sed, but not jq, which is not on every machine.
 */
import type { CheckResult, Exchange, Finding } from '../model/results.ts';
import { type RepeatScript, writeScript } from './repeat-script.ts';
import { labelIn, type Source, Sources, valuesOf } from './repeat-values.ts';

export type { RepeatScript } from './repeat-script.ts';

/** Checks with fewer requests are repeated completely; of others, only requests that changed something. */
const WHOLE = 12;
/** Longer scripts help nobody, and are not written. */
const MOST_STEPS = 60;
/**
 * Where a check asks for at least this many tokens in the same way, it only shares its requests out among
 * them, to stay within the rate limit of each.
 */
const SHARED_OUT = 3;
const CLOCK = 'clock';
const READS = ['GET', 'HEAD', 'OPTIONS'];

/** The exchanges of a run, in the order of sending, and where the values in them come from. */
export class Repeater {
  readonly #all: readonly Exchange[];
  readonly #byId: ReadonlyMap<string, Exchange>;
  readonly #sources = new Sources();
  /** For a source, the one whose value is sent instead. */
  readonly #instead = new Map<Source, Source>();

  constructor(exchanges: Iterable<Exchange>) {
    this.#all = [...exchanges].sort((a, b) => orderOf(a) - orderOf(b));
    this.#byId = new Map(this.#all.map((each) => [each.id, each]));
    for (const exchange of this.#all) this.#sources.learn(exchange);
  }

  /**
   * Returns the script for a finding of a check.
   * @param check the check that found it, with the ids of the earlier exchanges that it rests on
   * @returns `undefined` where no exchange shows the finding, or the script would be longer than anybody
   *   reads
   */
  script(
    finding: Finding,
    { exchanges: own, sharedExchanges: shared }: Pick<CheckResult, 'exchanges' | 'sharedExchanges'>,
  ): RepeatScript | undefined {
    const shown = finding.exchange === undefined ? own.at(-1) : this.#byId.get(finding.exchange);
    if (!shown) return undefined;
    const others = shared.flatMap((id) => this.#byId.get(id) ?? []);
    const steps = this.#steps(shown, finding.by, own, others);
    if (steps.length > MOST_STEPS) return undefined;
    return writeScript({
      steps,
      passed: passedBefore(steps, [...own, ...others]),
      shown,
      finding,
      sourceOf: (value) => this.#source(value),
      derivedOf: (value) => this.#sources.derived(value),
    });
  }

  /**
   * The answer that gives a value in the script; where several
   * tokens are alike, the answer that gives the first.
   */
  #source(value: string): Source | undefined {
    const source = this.#sources.of(value);
    return source && (this.#instead.get(source) ?? source);
  }

  #steps(
    shown: Exchange,
    by: string | undefined,
    own: readonly Exchange[],
    shared: readonly Exchange[],
  ): Exchange[] {
    const before = own.filter((each) => orderOf(each) < orderOf(shown) && isTried(each));
    const isOwn = own.some(({ id }) => id === shown.id);
    const chosen = new Set<Exchange>([shown]);
    const did = by === undefined ? undefined : this.#byId.get(by);
    if (did) chosen.add(did);
    if (isOwn) {
      for (const each of before)
        if (before.length < WHOLE || !isRead(each) || each.passedMs !== undefined) chosen.add(each);
      for (const each of sentWith(shown, own)) chosen.add(each);
    }
    // What the check shares with other checks was made once, before this one.
    for (const each of shared)
      if (orderOf(each) < orderOf(shown) && isTried(each) && preparesFor(shown, each, isOwn))
        chosen.add(each);
    // Earlier changes of the same resources are needed as well, and the answers that any of these requests
    // take values from.
    this.#instead.clear();
    this.#close(chosen);
    if (!isAboutTokens(shown)) this.#merge(chosen, own);
    const kept = new Set(
      [...chosen].filter((each) => each === shown || each === did || !this.#isReplaced(each)),
    );
    this.#close(kept);
    if (!isAboutTokens(shown)) this.#dropUnused(kept, [shown, did]);
    return [...kept].sort((a, b) => orderOf(a) - orderOf(b));
  }

  /** Adds the exchanges that a set of exchanges depends on. */
  #close(chosen: Set<Exchange>): void {
    for (const each of chosen) {
      for (const { exchange } of this.#sourcesIn(each)) if (exchange !== each) chosen.add(exchange);
      for (const change of this.#changesBefore(each)) chosen.add(change);
      if (chosen.size > MOST_STEPS * 3) return;
    }
  }

  #isReplaced(exchange: Exchange): boolean {
    return [...this.#instead.keys()].some((source) => source.exchange === exchange);
  }

  #sourcesIn({ request }: Exchange): Source[] {
    return valuesOf(request).flatMap(
      (value) => this.#source(value) ?? this.#sources.derived(value)?.source ?? [],
    );
  }

  /**
   * Treats tokens as one where they were asked for in the same way and serve only as credentials: a run
   * shares its requests out among several, to stay within the rate limit of each. Where a check asks for two
   * of them itself, it is about the two, and both stay.
   */
  #merge(steps: Iterable<Exchange>, own: readonly Exchange[]): void {
    const ownIds = new Set(own.map(({ id }) => id));
    const all = [...steps];
    const alike = new Map<string, Source[]>();
    for (const [value, source] of this.#sources.all()) {
      if (labelIn(value) === undefined || isNamed(all, value) || !isCredential(all, value)) continue;
      const key = likeness(source.exchange, source.key);
      alike.set(key, [...(alike.get(key) ?? []), source]);
    }
    for (const sources of alike.values()) {
      const mine = sources.filter(({ exchange }) => ownIds.has(exchange.id));
      const merged = mine.length < SHARED_OUT ? sources.filter((each) => !mine.includes(each)) : sources;
      for (const each of merged.slice(1)) this.#instead.set(each, merged[0]!);
    }
  }

  /** Leaves out tokens that no other step uses, where several were asked for in the same way. */
  #dropUnused(kept: Set<Exchange>, needed: readonly (Exchange | undefined)[]): void {
    const used = new Set([...kept].flatMap((each) => this.#sourcesIn(each)).map(({ exchange }) => exchange));
    const unused = new Map<string, Exchange[]>();
    for (const each of kept) {
      if (used.has(each) || needed.includes(each) || !givesToken(each)) continue;
      const key = likeness(each, '');
      unused.set(key, [...(unused.get(key) ?? []), each]);
    }
    for (const group of unused.values())
      if (group.length >= SHARED_OUT || group.some((each) => this.#isReplaced(each)))
        for (const each of group) kept.delete(each);
  }

  /**
   * The earlier changes of the resource that a request is about, where the target gave that resource its id.
   */
  #changesBefore(exchange: Exchange): Exchange[] {
    const path = pathOf(exchange);
    if (!path.split('/').some((part) => this.#sources.of(part))) return [];
    return this.#all.filter(
      (each) => orderOf(each) < orderOf(exchange) && !isRead(each) && isTried(each) && pathOf(each) === path,
    );
  }
}

const repeaters = new WeakMap<ReadonlyMap<string, Exchange>, Repeater>();

/** Returns the repeater for the exchanges of a run, which is made once for each map of them. */
export function repeaterFor(byId: ReadonlyMap<string, Exchange>): Repeater {
  const known = repeaters.get(byId) ?? new Repeater(byId.values());
  repeaters.set(byId, known);
  return known;
}

/** What a check sent at the same time as a request, before or after it. */
function sentWith(shown: Exchange, own: readonly Exchange[]): Exchange[] {
  const sorted = [...own].sort((a, b) => orderOf(a) - orderOf(b));
  const at = sorted.indexOf(shown);
  let first = at;
  while (first > 0 && sorted[first]?.atOnce) first -= 1;
  let last = at;
  while (sorted[last + 1]?.atOnce) last += 1;
  return first === last ? [] : sorted.slice(first, last + 1).filter(isTried);
}

/**
 * How many seconds have to pass before each step, including what passed before requests that are left out.
 */
function passedBefore(steps: readonly Exchange[], own: readonly Exchange[]): Map<Exchange, number> {
  const passed = new Map<Exchange, number>();
  let after = 0;
  for (const step of steps) {
    const until = orderOf(step);
    const between = own.filter((each) => orderOf(each) > after && orderOf(each) < until);
    const ms = [...between, step].reduce((sum, each) => sum + (each.passedMs ?? 0), 0);
    if (ms > 0 && after > 0) passed.set(step, Math.ceil(ms / 1000));
    after = until;
  }
  return passed;
}

/** Whether a value is sent in an address or a body, and so is more than a credential. */
function isNamed(steps: readonly Exchange[], value: string): boolean {
  return steps.some(({ request }) => `${request.url} ${request.body?.text ?? ''}`.includes(value));
}

function isCredential(steps: readonly Exchange[], value: string): boolean {
  return steps.some(({ request }) => request.headers.some(([, text]) => text.includes(value)));
}

/** Whether a request was refused because of its token. Then it may matter how many tokens there are. */
function isAboutTokens({ response }: Exchange): boolean {
  return response?.status === 401 || response?.status === 403;
}

/** Whether an answer gives out a token: something redacted, and nothing that has an id. */
function givesToken({ response }: Exchange): boolean {
  const text = response?.body.text ?? '';
  return /"«[^»]+»"/.test(text) && !/"id"\s*:/.test(text);
}

/** A key that is equal for requests that differ in nothing but their answers. */
function likeness({ request: { method, url, headers, body } }: Exchange, key: string): string {
  return JSON.stringify([key, method, url, headers, body?.text]);
}

const orderOf = ({ id }: Exchange): number => Number(id.slice(1)) || 0;
const isRead = ({ request }: Exchange): boolean => READS.includes(request.method);
const isTried = ({ response }: Exchange): boolean => response !== undefined;
/**
 * Whether an earlier, shared exchange made what another one is about. Moving the clock is not counted, since
 * the script lets time pass by itself.
 */
function preparesFor(shown: Exchange, each: Exchange, isOwn: boolean): boolean {
  if (each.hook !== undefined) return each.hook !== CLOCK;
  return isOwn ? isPartOf(each, shown) : !isRead(each);
}
/**
 * Whether a request changes what a read of a collection
 * shows: it is sent to the collection or to a part of it.
 */
function isPartOf(change: Exchange, read: Exchange): boolean {
  return isRead(read) && !isRead(change) && `${pathOf(change)}/`.startsWith(`${pathOf(read)}/`);
}
const pathOf = ({ request }: Exchange): string => request.url.replace(/[?#].*$/, '');
