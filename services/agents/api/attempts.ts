/**
 * Counts registration attempts: services limit them, some to 60 an hour from one address. Attempts of the
 * larger sweep are allowed in addition to the default number, so that they never use up what the required
 * checks need. Some attempts are reserved for what many checks build on, whatever else is tried before them.
 */
import { perSession } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { retryAfterMs } from '../../../lib/http/throttling.ts';
import { Skipped, Undecided } from '../../../lib/model/verdict.ts';

/** How many attempts a run may make unless the configuration says otherwise. */
export const DEFAULT_ATTEMPTS = 60;
/** With this many attempts allowed, all checks run. */
export const ALL_ATTEMPTS = 400;

/**
 * The attempts that are reserved for what many checks build on: the good registrations, a refusal for each
 * code of section 7, and the burst. A target on which every fault has to be sent by itself (for instance
 * because its errors have no code) would otherwise use up all attempts before the requirement at fault is
 * checked.
 */
export const RESERVED = { first: 1, replay: 1, again: 1, refusals: 10, burst: 5 } as const;
export type Reserved = keyof typeof RESERVED;

/**
 * Attempts that are reserved, once an answer is in doubt, for repeating that request until the result is
 * certain.
 */
const REPEATS = 4;

/**
 * The longest time, in milliseconds, after which a throttled registration is sent again, and how long the suite
 * waits like that in a run, in real time.
 */
const LONGEST_REST_MS = 10_000;
const MOST_RESTED_MS = 600_000;

/**
 * How long to rest where a target throttles without saying for how long, in milliseconds of real time: longer each
 * time that no registration was served after it. After the last one the suite gives up.
 */
const UNTOLD_RESTS_MS = [1_000, 2_000, 4_000];

/** Registrations of one user are throttled, while those of another one succeed. */
export class ThrottledUser extends Undecided {}

/** A registration that was not served has used up its `jti`, so that it could not be sent again. */
export class UsedUp extends Undecided {}

/** What an attempt is counted as. A `sweep` attempt is not needed to exercise the required requirements. */
export type AttemptBudget = 'required' | 'sweep' | Reserved;

/** The counter of one run; see the module comment. */
export class Attempts {
  readonly #session: Session;
  #used = 0;
  #swept = 0;
  #throttled: string | undefined;
  #restedMs = 0;
  #ignoresHook = false;
  /** Ends when the last request that was throttled more than once has rested. */
  #turns: Promise<void> = Promise.resolve();
  /** Rests of `UNTOLD_RESTS_MS` after which no registration was served, and the one that is under way. */
  #untoldInVain = 0;
  #untold: Promise<void> | undefined;
  #isOnlySome: Promise<boolean> | undefined;
  readonly #reserved = new Map<AttemptBudget, number>();

  private constructor(session: Session) {
    this.#session = session;
  }

  /**
   * Reserves attempts for what many checks build on. Without valid assertions none are reserved, since every
   * registration is then refused.
   * @param canSign whether the suite can obtain valid assertions
   */
  reserve(canSign: boolean): void {
    if (this.#reserved.size > 0) return;
    for (const [name, count] of Object.entries(RESERVED) as [Reserved, number][])
      this.#reserved.set(name, canSign ? count : 0);
  }

  /** Returns how many attempts are reserved for purposes other than `budget`. */
  #keptFrom(budget: AttemptBudget): number {
    let kept = 0;
    for (const [name, count] of this.#reserved) if (name !== budget) kept += count;
    return kept;
  }

  /** Returns the counter of a run. */
  static readonly of = perSession((session) => new Attempts(session));

  /** How many attempts were made so far. */
  get used(): number {
    return this.#used;
  }

  /** How the target throttled, in words; `undefined` when it did not. */
  get throttled(): string | undefined {
    return this.#throttled;
  }

  get #most(): number {
    return this.#session.target.agents?.maxAttempts ?? DEFAULT_ATTEMPTS;
  }

  /** Returns whether `count` more attempts of the larger sweep may be made. */
  mayIfSwept(count = 1): boolean {
    return this.#swept + count <= this.#most - DEFAULT_ATTEMPTS && this.#used + count <= this.#most;
  }

  /**
   * Throws `Skipped`, naming the key to set, unless `count` more attempts of the larger sweep may be made.
   */
  requireSweep(count: number): void {
    if (this.mayIfSwept(count)) return;
    throw new Skipped(
      `needs more registration attempts than this run may make: set \`${this.#key}\` to ${ALL_ATTEMPTS} or more`,
    );
  }

  /** The configuration key that allows more attempts. */
  get #key(): string {
    return `targets.${this.#session.target.name}.agents.maxAttempts`;
  }

  /**
   * Counts attempts that are about to be made. Throws `Skipped`, naming the key to set, where they are more
   * than the configuration allows, and `Undecided` once the target throttles.
   */
  take(budget: AttemptBudget, count = 1): void {
    if (this.#throttled !== undefined) {
      throw new Undecided(
        `the target throttles registrations (${this.#throttled}): stopped after ${this.#used} attempts`,
      );
    }
    if (budget === 'sweep') this.requireSweep(count);
    const reserved = this.#reserved.get(budget) ?? 0;
    const { isRepeat, disturbances } = this.#session.http.recorder;
    // Confirming a failure matters more than whatever else could be tried.
    const forRepeats = disturbances.areOthersInDoubt([]) ? REPEATS : 0;
    const kept = isRepeat || reserved >= count ? 0 : this.#keptFrom(budget) + forRepeats;
    if (this.#used + count + kept > this.#most) {
      throw new Skipped(
        `the ${this.#most} registration attempts of this run are used up: set \`${this.#key}\` to ${ALL_ATTEMPTS} or more`,
      );
    }
    this.#used += count;
    this.#reserved.set(budget, Math.max(0, reserved - count));
    this.#session.counts.set('registration attempts', this.#used);
    if (budget === 'sweep') this.#swept += count;
  }

  /**
   * Waits for as long as a target that throttles asks for, longer with each try of the same request. Since that
   * was not processed, sending it again is not another attempt. A gateway in front of the service may throttle by
   * another clock than the one that the hook moves: what was tried again too early after the hook had moved the
   * clock waits in real time, and from then on all others do.
   * Where the target names no time, the suite rests in real time, together with whatever else is throttled.
   * @param tries how often this request was sent again
   * @returns false where the target names a long time, or the suite has waited too long in all or in vain
   */
  async rest(answer: Answer, tries: number): Promise<boolean> {
    const { time, http } = this.#session;
    const least = retryAfterMs(answer, time.now());
    if (this.#restedMs >= MOST_RESTED_MS) return false;
    if (least === undefined) return this.#restUntold(answer);
    if (least > LONGEST_REST_MS) return false;
    http.recorder.disturbances.noteResent(answer.exchange);
    this.#ignoresHook ||= tries > 0;
    if (time.movable && !this.#ignoresHook) await time.wait(least);
    else {
      const ms = Math.min(LONGEST_REST_MS, least * 2 ** Math.max(0, tries - 1));
      this.#restedMs += ms;
      await (tries > 0 ? this.#inTurn(() => time.rest(ms)) : time.rest(ms));
    }
    return true;
  }

  /**
   * Rests when those before it have rested: requests that were sent again together and throttled again are sent
   * one by one, since some limiters serve one at a time.
   */
  #inTurn(rest: () => Promise<void>): Promise<void> {
    const turn = this.#turns.then(rest);
    this.#turns = turn.catch(() => {});
    return turn;
  }

  /** Rests where the target does not say for how long. Returns false where that was in vain too often. */
  async #restUntold({ exchange }: Answer): Promise<boolean> {
    const ms = UNTOLD_RESTS_MS[this.#untoldInVain];
    if (!this.#untold && ms === undefined) return false;
    const { time, http } = this.#session;
    http.recorder.disturbances.noteResent(exchange);
    this.#untold ??= time.rest(ms as number).finally(() => {
      this.#restedMs += ms as number;
      this.#untoldInVain += 1;
      this.#untold = undefined;
    });
    await this.#untold;
    return true;
  }

  /**
   * Waits while others rest because the target throttles without saying for how long: what is sent meanwhile takes
   * the place of those that have waited.
   */
  async whileOthersRest(): Promise<void> {
    await this.#untold;
  }

  /** Notes that a registration was served that had been throttled, or may have taken the place of one that was. */
  served(): void {
    this.#untoldInVain = 0;
  }

  /**
   * Returns whether another user is registered while the target throttles. Requests that are throttled at the
   * same time find that out together.
   */
  isOnlySome(registersAnother: () => Promise<boolean>): Promise<boolean> {
    this.#isOnlySome ??= registersAnother().finally(() => {
      this.#isOnlySome = undefined;
    });
    return this.#isOnlySome;
  }

  /** Notes that the target throttles, so that no further attempts are made. Always throws `Undecided`. */
  stop(answer: Answer): never {
    this.#throttled ??= `${inWords(answer)}, at attempt ${this.#used}`;
    throw new Undecided(
      `the target throttles registrations (${this.#throttled}): stopped after ${this.#used} attempts`,
    );
  }
}

/** Returns how an answer throttles, in words. */
export function inWords(answer: Answer): string {
  const after = answer.header('retry-after')[0];
  return `status ${answer.status}${after === undefined ? '' : `, Retry-After: ${after}`}`;
}
