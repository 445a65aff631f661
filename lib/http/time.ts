import { setTimeout as sleep } from 'node:timers/promises';
import type { RunOptions } from '../config/types.ts';
import { Skipped } from '../model/verdict.ts';
import type { Hooks } from './hooks.ts';
import { InStep } from './in-step.ts';

/** What moves the target's clock, and the recorder that is not to see it. */
type ClockHook = Pick<Hooks, 'http' | 'clock'>;

/** Clocks that differ by no more than this count as the same: `Date` has whole seconds, and an answer takes time to arrive. */
const CLOCKS_AGREE_MS = 3_000;

/** Whoever waits for so long is not only within a rate: what follows depends on the time that passed. */
const DELIBERATE_MS = 5_000;

/**
 * Time as the target sees it. With a clock hook nothing is waited for: the target's clock is moved.
 * Without one, time passes in reality, as long as the user allows (`--max-wait`).
 */
export class TargetTime {
  readonly #hooks: ClockHook;
  readonly #maxWaitMs: number;
  #advancedMs = 0;
  #skewMs = 0;
  /** A call of the clock hook that is under way, and by how many milliseconds it moves the clock. */
  #moving: Promise<void> | undefined;
  #movingMs = 0;
  readonly #inStep: InStep;

  constructor(hooks: ClockHook, options: Pick<RunOptions, 'maxWaitMs'>) {
    this.#hooks = hooks;
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

  /** The target's time as far as we know it, in milliseconds since the epoch. */
  now(): number {
    return Date.now() + this.#skewMs;
  }

  /**
   * Asks for the target's time: the clock hook where there is one, since earlier runs may have moved the clock;
   * else the `Date` of an answer (whole seconds, RFC 9110 6.6.1), which counts where it differs by more than
   * `CLOCKS_AGREE_MS`.
   * @param date of an answer, where it has one
   * @param at when that answer came, in milliseconds since the epoch on our clock
   */
  async learn(date: string | undefined, at: number): Promise<void> {
    if (this.#hooks.clock) {
      try {
        const now = await this.#hooks.clock(0, true);
        if (now !== undefined) this.#skewMs = now - Date.now();
      } catch {
        // A hook that only moves the clock tells its time when it does.
      }
      return;
    }
    const skewMs = date === undefined ? Number.NaN : Date.parse(date) + 500 - at;
    if (!Number.isNaN(skewMs)) this.#skewMs = Math.abs(skewMs) > CLOCKS_AGREE_MS ? skewMs : 0;
  }

  /** Elapsed target time for measuring intervals: monotonic real time plus what was advanced, in ms. */
  elapsed(): number {
    return performance.now() + this.#advancedMs;
  }

  /** The same where the clock is just being moved, and may have been already. */
  latest(): number {
    return this.elapsed() + this.#movingMs;
  }

  /**
   * Lets `ms` pass on the target for a check. Throws `Skipped` when it would have to be waited for in
   * reality and is longer than the user allows.
   */
  async pass(ms: number, why: string): Promise<void> {
    if (!this.movable && ms > this.#maxWaitMs) {
      throw new Skipped(
        `${why}: needs ${Math.ceil(ms / 1000)} s to pass on the target; set \`hooks.clock\`, or allow the wait with --max-wait ${Math.ceil(ms / 1000)}`,
      );
    }
    await this.wait(ms);
  }

  /** Lets `ms` pass without asking: for pacing, which is the target's own limit. */
  wait(ms: number): Promise<void> {
    if (ms <= 0) return Promise.resolve();
    if (ms >= DELIBERATE_MS) this.#hooks.http.recorder.passed(ms);
    if (!this.movable) return sleep(Math.ceil(ms));
    return this.#inStep.isEmpty ? this.#moveBy(ms) : this.#inStep.wait(ms);
  }

  /**
   * Does the work of a check for which no time may pass on the target but what it waits for itself, and the seconds that
   * requests take. Several do so side by side: the clock is moved when all of them wait, to where the first one goes on.
   * @param slackMs by how much a wait may last longer, so that those that end at about the same time do so at once
   */
  inStep<T>(work: () => Promise<T>, slackMs = 0): Promise<T> {
    return this.movable ? this.#inStep.join(work, slackMs) : work();
  }

  /** How many of those checks wait. */
  get asleep(): number {
    return this.#inStep.asleep;
  }

  /** How many of them may be awake at once; and what is told when one begins to wait. */
  useLanes(mostAwake: number, onAsleep: () => void): void {
    Object.assign(this.#inStep, { mostAwake, onAsleep });
  }

  /** Waits for what another check does, or makes for both: meanwhile the clock may be moved for others. */
  whileAnother<T>(works: Promise<T>): Promise<T> {
    return this.#inStep.isEmpty ? works : this.#inStep.aside(works);
  }

  /** The clock is moved by one caller at a time; others who wait meanwhile count what it was moved by. */
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
      const now = await clock(ms / 1000, true);
      if (now !== undefined) this.#skewMs = now - Date.now();
      else this.#skewMs += ms;
      this.#advancedMs += ms;
    } finally {
      this.#movingMs = 0;
    }
  }

  /**
   * Lets `ms` pass in reality, whatever the hook can do: for who goes by another clock than the service. The proof,
   * whose clock is its own, puts something else in its place.
   */
  rest: (ms: number) => Promise<void> = (ms) => sleep(Math.ceil(ms));

  /** Waits for work to be done, or for `ms` to pass in reality, whichever comes first. */
  async restUntil(work: Promise<unknown>, ms: number): Promise<void> {
    const timer = new AbortController();
    const patience = sleep(Math.ceil(ms), undefined, { signal: timer.signal }).catch(() => {});
    try {
      await Promise.race([work, patience]);
    } finally {
      // A timer that goes on would keep alive all that the run remembers.
      timer.abort();
    }
  }

  /** Notes time that passed on the target without passing here: a simulated slow server. */
  spend(ms: number): void {
    this.#skewMs += ms;
    this.#advancedMs += ms;
  }

  /**
   * Asks `probe` until it gives something other than `undefined`, letting `stepMs` pass between tries,
   * for at most `limitMs`. Returns `undefined` when it never came.
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

  /** How long a poll may go on: generous where time is free, `--max-wait` where it is real. */
  pollLimit(ms: number): number {
    return this.movable ? ms : Math.min(ms, this.#maxWaitMs);
  }
}

/**
 * Up to the next eighth of a second: the finest step that is a whole number of milliseconds and exact as a
 * binary fraction, so that clocks that reckon in whole milliseconds stay whole.
 */
function roundForHook(ms: number): number {
  return Math.ceil(ms / 125) * 125;
}
