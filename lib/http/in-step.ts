/**
 * Checks that run side by side and let time pass, each as if it were alone: time on the target stands still while one
 * of them does anything else than wait. When all of them wait, the clock is moved to where the first one goes on.
 */

/** What moves the clock, and says for whom. */
interface Clock {
  /** Time as `TargetTime.elapsed` gives it, in milliseconds. */
  elapsed(): number;
  /** Moves the target's clock, in milliseconds. */
  move(ms: number): Promise<void>;
  /** What tells the check that is running from others. */
  running(): object;
}

/** One that waits for a time. */
interface Sleeper {
  check: object;
  until: number;
  wake: () => void;
  fail: (error: unknown) => void;
}

/** A check that is in step. */
interface Walker {
  /** How many of its waits are under way. */
  waits: number;
  /** By how many milliseconds its waits may last longer, so that those that end at about the same time do so at once. */
  slackMs: number;
}

/** See the module comment. */
export class InStep {
  /** How many checks may be awake at once; the others go on in their turn. */
  mostAwake = Number.POSITIVE_INFINITY;
  /** Told when a check begins to wait. */
  onAsleep: () => void = () => {};
  readonly #clock: Clock;
  readonly #walkers = new Map<object, Walker>();
  readonly #sleepers = new Set<Sleeper>();
  #isLooking = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether no check is in step. */
  get isEmpty(): boolean {
    return this.#walkers.size === 0;
  }

  /** How many checks that are in step wait. */
  get asleep(): number {
    return this.#walkers.size - this.#awake;
  }

  /** Does the work of a check in step with the others; see `Walker.slackMs`. */
  async join<T>(work: () => Promise<T>, slackMs: number): Promise<T> {
    const check = this.#clock.running();
    this.#walkers.set(check, { waits: 0, slackMs });
    try {
      return await work();
    } finally {
      this.#walkers.delete(check);
      this.#look();
    }
  }

  /** Waits until so many milliseconds have passed on the target. Throws what moving the clock throws. */
  wait(ms: number): Promise<void> {
    const check = this.#clock.running();
    return new Promise((wake, fail) => {
      this.#sleepers.add({ check, until: this.#clock.elapsed() + ms, wake, fail });
      this.#note(check, 1);
    });
  }

  /** Waits for what another check does. */
  async aside<T>(works: Promise<T>): Promise<T> {
    const check = this.#clock.running();
    this.#note(check, 1);
    try {
      return await works;
    } finally {
      this.#note(check, -1);
    }
  }

  get #awake(): number {
    return [...this.#walkers.values()].filter(({ waits }) => waits === 0).length;
  }

  #note(check: object, more: number): void {
    const walker = this.#walkers.get(check);
    if (walker) walker.waits += more;
    this.#look();
    if (more > 0) this.onAsleep();
  }

  /** Looks who can go on, once everything that need not wait has done so. */
  #look(): void {
    if (this.#isLooking || this.#sleepers.size === 0) return;
    this.#isLooking = true;
    setImmediate(async () => {
      const isMoved = this.#awake === 0 && (await this.#moveOn());
      this.#wakeDue();
      this.#isLooking = false;
      // Where the clock could not be moved for one, the others are still waiting.
      if (isMoved || this.#awake === 0) this.#look();
    });
  }

  /** Moves the clock to where the first ones go on. */
  async #moveOn(): Promise<boolean> {
    const until = this.#goal();
    const ms = until - this.#clock.elapsed();
    if (ms <= 0) return true;
    try {
      await this.#clock.move(ms);
      return true;
    } catch (error) {
      for (const sleeper of [...this.#sleepers].filter((each) => each.until <= until))
        this.#end(sleeper, () => sleeper.fail(error));
      return false;
    }
  }

  /** When the first one goes on, or the last of those that go on so soon after it that it can wait for them. */
  #goal(): number {
    const sleepers = [...this.#sleepers].sort((a, b) => a.until - b.until);
    let goal = sleepers[0]!.until;
    let latest = Number.POSITIVE_INFINITY;
    for (const { check, until } of sleepers) {
      latest = Math.min(latest, until + (this.#walkers.get(check)?.slackMs ?? 0));
      if (until > latest) break;
      goal = until;
    }
    return goal;
  }

  /** Wakes those whose time has come, as many as may be awake. */
  #wakeDue(): void {
    const due = [...this.#sleepers].sort((a, b) => a.until - b.until);
    for (const sleeper of due) {
      if (sleeper.until > this.#clock.elapsed() || this.#awake >= this.mostAwake) return;
      this.#end(sleeper, sleeper.wake);
    }
  }

  #end(sleeper: Sleeper, how: () => void): void {
    this.#sleepers.delete(sleeper);
    // At once: it does not wait any more when the others are looked at next.
    const walker = this.#walkers.get(sleeper.check);
    if (walker) walker.waits -= 1;
    how();
  }
}
