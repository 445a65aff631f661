/** Targets that stop answering: they get time to come back, and are not asked again for every check. */

/** After this many requests in a row without any answer a target counts as gone. */
const GONE_AFTER = 3;
/** While a target counts as gone, one in `PROBE_EVERY` requests is sent, at most `MOST_PROBES` in all. */
const PROBE_EVERY = 10;
const MOST_PROBES = 3;
/**
 * How long to rest, one rest after the other, while a target that answered before may be started anew.
 * Milliseconds.
 */
export const RESTS_MS: readonly number[] = [3_000, 6_000, 10_000];
/** The most that these rests may take in one run, for each origin. Milliseconds. */
const MOST_REST_MS = 60_000;

/** Requests in a row that one origin did not answer. */
interface Unanswered {
  count: number;
  error: string;
  /** How many requests were withheld since it counts as gone, and how many were sent nevertheless. */
  withheld: number;
  probes: number;
  /** How many rests were made, and the one that lasts. */
  rests: number;
  resting?: Promise<void>;
}

/** See the module comment. Origins are apart from one another. */
export class UnresponsiveTargets {
  readonly #rest: (ms: number) => Promise<void>;
  readonly #unanswered = new Map<string, Unanswered>();
  /** The origins that have ever answered, and for how many milliseconds the run rested for each. */
  readonly #rested = new Map<string, number>();

  /** @param rest waits for milliseconds of real time */
  constructor(rest: (ms: number) => Promise<void>) {
    this.#rest = rest;
  }

  /**
   * Waits before a request where the target answered before and is gone, as while it is started anew.
   * @returns why the request must not be sent; `undefined` where it may
   */
  async reasonToWithhold(origin: string): Promise<string | undefined> {
    const unanswered = this.#unanswered.get(origin);
    if (unanswered === undefined || unanswered.count < GONE_AFTER) return undefined;
    unanswered.resting ??= this.#begunRest(origin, unanswered);
    if (unanswered.resting !== undefined) {
      await unanswered.resting;
      return undefined;
    }
    // Always the same words, so that a report lists everything that was not asked under one reason.
    return mayProbe(unanswered)
      ? undefined
      : `${origin} stopped answering (${unanswered.error}); not asked again`;
  }

  #begunRest(origin: string, unanswered: Unanswered): Promise<void> | undefined {
    const ms = RESTS_MS[unanswered.rests];
    const rested = this.#rested.get(origin);
    if (ms === undefined || rested === undefined || rested + ms > MOST_REST_MS) return undefined;
    this.#rested.set(origin, rested + ms);
    unanswered.rests += 1;
    return this.#rest(ms).finally(() => {
      delete unanswered.resting;
    });
  }

  /** Notes that a request was answered. */
  answered(origin: string): void {
    this.#unanswered.delete(origin);
    if (!this.#rested.has(origin)) this.#rested.set(origin, 0);
  }

  /** Notes that a request got no answer, and why. */
  unanswered(origin: string, error: string): void {
    const before = this.#unanswered.get(origin);
    if (before === undefined)
      this.#unanswered.set(origin, { count: 1, error, withheld: 0, probes: 0, rests: 0 });
    else Object.assign(before, { count: before.count + 1, error });
  }
}

/** Returns whether to send a request after all: one endpoint that hangs must not keep all others unasked. */
function mayProbe(unanswered: Unanswered): boolean {
  unanswered.withheld += 1;
  if (unanswered.withheld % PROBE_EVERY !== 0 || unanswered.probes >= MOST_PROBES) return false;
  unanswered.probes += 1;
  return true;
}
