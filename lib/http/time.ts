import { setTimeout as sleep } from 'node:timers/promises';
import type { RunOptions } from '../config/types.ts';
import { Blocked, HookFailed, Skipped } from '../model/verdict.ts';
import type { Hooks } from './hooks.ts';
import { InStep } from './in-step.ts';

/** The hook that moves the target's clock, and the client with the recorder of the run. */
type ClockHook = Pick<Hooks, 'http' | 'clock'>;

/** Largest difference between clocks that agree: `Date` has whole seconds, and an answer takes time. */
const CLOCKS_AGREE_MS = 3_000;

/** A wait of at least this length is not only pacing: what follows depends on the time that passed. */
const DELIBERATE_MS = 5_000;

/** By how many milliseconds a clock hook may move the clock less than it was told to. */
const HOOK_ROUNDS_MS = 50;
/** By how many milliseconds others may move the clock at the same time, where that is not told apart. */
const MOVES_BESIDE_MS = 60_000;

/** What the clock hook said, in milliseconds since the epoch, and when, by `#running`. */
interface Told {
  now: number;
  at: number;
}

/**
 * Time as the target sees it. With a clock hook, waiting moves the target's clock and takes no time. Without
 * one, it takes real time, as far as the user allows (`--max-wait`).
 */
export class TargetTime {
  readonly #hooks: ClockHook;
  readonly #maxWaitMs: number;
  readonly #doubt: string | undefined;
  #advancedMs = 0;
  #skewMs = 0;
  #spentMs = 0;
  /** What the clock hook said last. */
  #told: Told | undefined;
  /** A call of the clock hook that is under way, and by how many milliseconds it moves the clock. */
  #moving: Promise<void> | undefined;
  #movingMs = 0;
  readonly #inStep: InStep;

  /** @param doubt why the configured hook is not used, if it is not: what depends on it is blocked */
  constructor(hooks: ClockHook, options: Pick<RunOptions, 'maxWaitMs'>, doubt?: string) {
    this.#hooks = hooks;
    this.#doubt = doubt;
    this.#maxWaitMs = options.maxWaitMs;
    this.#inStep = new InStep({
      elapsed: () => this.elapsed(),
      move: (ms) => this.#moveBy(ms),
      running: () => hooks.http.recorder.check,
    });
  }

  /** True when the target's clock can be moved. */
  get movable(): boolean {
    return this.#hooks.clock !== undefined;
  }

  /** By how many milliseconds the target's clock has been moved so far. */
  get advancedMs(): number {
    return this.#advancedMs;
  }

  /** Returns the target's time, as far as it is known, in milliseconds since the epoch. */
  now(): number {
    return Date.now() + this.#skewMs;
  }

  /**
   * Asks for the target's time. The clock hook tells it, where there is one, since earlier runs may have
   * moved the clock. Otherwise it is the `Date` of an answer (whole seconds, RFC 9110 6.6.1), if that differs
   * from the time here by more than `CLOCKS_AGREE_MS`.
   * @param date of an answer, where it has one
   * @param at when that answer came, in milliseconds since the epoch on our clock
   */
  async learn(date: string | undefined, at: number): Promise<void> {
    if (this.#hooks.clock) {
      try {
        this.#noteTold(await this.#hooks.clock(0, true));
      } catch {
        // A hook that cannot be asked without moving the clock may still tell the time when it moves it.
      }
      return;
    }
    const skewMs = date === undefined ? Number.NaN : Date.parse(date) + 500 - at;
    if (!Number.isNaN(skewMs)) this.#skewMs = Math.abs(skewMs) > CLOCKS_AGREE_MS ? skewMs : 0;
  }

  /** Returns the time for measuring intervals on the target, in ms: monotonic real time plus all advances. */
  elapsed(): number {
    return performance.now() + this.#advancedMs;
  }

  /** Returns the latest time it may be on the target: a call under way may have moved the clock already. */
  latest(): number {
    return this.elapsed() + this.#movingMs;
  }

  /**
   * Lets `ms` pass on the target for a check.
   * @param why what needs the time, for the reason of a skipped check
   * @throws Skipped when it would take more real time than the user allows, and Blocked where a hook is configured for
   *   that and may not move the clock
   */
  async pass(ms: number, why: string): Promise<void> {
    if (!this.movable && ms > this.#maxWaitMs) {
      if (this.#doubt !== undefined) throw new Blocked(`${why}: ${this.#doubt}`);
      throw new Skipped(
        `${why}: needs ${Math.ceil(ms / 1000)} s to pass on the target; set \`hooks.clock\`, or allow the wait with --max-wait ${Math.ceil(ms / 1000)}`,
      );
    }
    await this.wait(ms);
  }

  /**
   * Lets `ms` pass on the target whatever the user allows: for pacing, which the target's limit demands.
   * @param slackMs how much longer it may be beside others, so that waits that end at about the same time can end
   *   together
   */
  wait(ms: number, slackMs?: number): Promise<void> {
    if (ms <= 0) return Promise.resolve();
    if (ms >= DELIBERATE_MS) this.#hooks.http.recorder.passed(ms);
    if (!this.movable) return sleep(Math.ceil(ms));
    return this.#inStep.isEmpty ? this.#moveBy(ms) : this.#inStep.wait(ms, slackMs);
  }

  /**
   * Does the work of a check for which no time may pass on the target except its own waits and the seconds
   * that requests take. Several such checks run side by side: when all of them wait, the clock is moved to
   * where the first one continues.
   * @param slackMs how much longer a wait may last, so that waits that end at about the same time can end
   *   together
   */
  inStep<T>(work: () => Promise<T>, slackMs = 0): Promise<T> {
    return this.movable ? this.#inStep.join(work, slackMs) : work();
  }

  /** How many of those checks are waiting. */
  get waitingChecks(): number {
    return this.#inStep.waitingChecks;
  }

  /** Sets how many of them may be active at once, and what is called when one begins to wait. */
  useLanes(maxActive: number, onWait: () => void): void {
    Object.assign(this.#inStep, { maxActive, onWait });
  }

  /** Waits for work of another check, such as a shared fixture; meanwhile the clock may move for others. */
  whileAnother<T>(works: Promise<T>): Promise<T> {
    return this.#inStep.isEmpty ? works : this.#inStep.whileWaitingFor(works);
  }

  /** Moves the clock, for one caller at a time. For those that wait their turn, the moves of others count. */
  async #moveBy(ms: number): Promise<void> {
    const { clock } = this.#hooks as Required<ClockHook>;
    const until = this.elapsed() + ms;
    while (this.#moving) {
      await this.#moving.catch(() => {});
      ms = until - this.elapsed();
      if (ms <= 0) return;
    }
    this.#moving = this.#move(roundForHook(ms), clock);
    try {
      await this.#moving;
    } finally {
      this.#moving = undefined;
    }
  }

  async #move(ms: number, clock: NonNullable<Hooks['clock']>): Promise<void> {
    this.#movingMs = ms;
    try {
      const before = this.#told;
      const now = await clock(ms / 1000, true);
      if (now === undefined) this.#skewMs += ms;
      this.#noteTold(now);
      const otherwise = this.#movedOtherwise(ms, before);
      this.#advancedMs += otherwise?.byMs ?? ms;
      if (otherwise) throw new HookFailed(otherwise.why);
    } finally {
      this.#movingMs = 0;
    }
  }

  /** Notes the target's time as the clock hook told it. */
  #noteTold(now: number | undefined): void {
    if (now !== undefined) this.#skewMs = now - Date.now();
    this.#told = now === undefined ? undefined : { now, at: this.#running() };
  }

  /**
   * Compares what the hook says before and after a move. Whether the clock runs on by itself is open.
   * @param before what it said before the move
   * @returns by how much it moved, where that is not what was asked for; `undefined` where it is, or is not told
   */
  #movedOtherwise(ms: number, before: Told | undefined): { byMs: number; why: string } | undefined {
    const now = this.#told?.now;
    if (before === undefined || now === undefined) return undefined;
    const isWhole = now % 1000 === 0 && before.now % 1000 === 0;
    const moved = now - before.now;
    const byItself = this.#running() - before.at;
    const isLess = moved < ms - (isWhole ? 1_000 : 0) - HOOK_ROUNDS_MS;
    if (!isLess && moved <= ms + byItself + Math.max(MOVES_BESIDE_MS, ms / 2)) return undefined;
    const [from, to] = [before.now, now].map((time) => new Date(time).toISOString());
    return {
      byMs: Math.max(0, moved - byItself),
      why: `hook clock was told to advance by ${ms / 1000} s, and its time went from ${from} to ${to}`,
    };
  }

  /** Time that passes by itself: the real one, and what a simulated slow server reports. */
  #running(): number {
    return performance.now() + this.#spentMs;
  }

  /**
   * Waits for `ms` in real time, even with a clock hook: for what follows another clock than the service's,
   * such as a limiter in front of it. The proof, whose clock is simulated, replaces this function.
   */
  rest: (ms: number) => Promise<void> = (ms) => sleep(Math.ceil(ms));

  /** Waits for work to be done, or for `ms` of real time, whichever ends first. */
  async restUntil(work: Promise<unknown>, ms: number): Promise<void> {
    const timer = new AbortController();
    const patience = sleep(Math.ceil(ms), undefined, { signal: timer.signal }).catch(() => {});
    try {
      await Promise.race([work, patience]);
    } finally {
      // A timer that is left running would keep in memory all that the run remembers.
      timer.abort();
    }
  }

  /**
   * Records time that passed on the target without passing here, as a simulated slow server reports it.
   * @param isOnDate whether `Date` shows that time, so that only the monotonic clock does not
   */
  spend(ms: number, isOnDate = false): void {
    this.#spentMs += ms;
    if (!isOnDate) this.#skewMs += ms;
    this.#advancedMs += ms;
  }

  /**
   * Calls `probe` until it returns something other than `undefined`, and lets `stepMs` pass between tries,
   * for at most `limitMs`.
   * @returns what `probe` returned last: `undefined` when the time was over
   */
  async until<T>(
    probe: () => Promise<T | undefined>,
    stepMs: number,
    limitMs: number,
  ): Promise<T | undefined> {
    for (let passed = 0; ; passed += stepMs) {
      const value = await probe();
      if (value !== undefined || passed >= limitMs) return value;
      await this.wait(stepMs);
    }
  }

  /** Returns how long a poll may go on: `ms` if the clock can be moved, else at most `--max-wait`. */
  pollLimit(ms: number): number {
    return this.movable ? ms : Math.min(ms, this.#maxWaitMs);
  }
}

/**
 * Rounds up to the next eighth of a second. That is the finest step of whole milliseconds that is exact as a
 * binary fraction of a second, so that a clock that counts whole milliseconds never has a fraction of one.
 */
function roundForHook(ms: number): number {
  return Math.ceil(ms / 125) * 125;
}
