/**
 * Runs checks side by side that let time pass on the target, each as if it were alone. Time on the target
 * stands still while any of them does something other than wait. When all of them wait, the clock is moved to
 * the time at which the first of them continues.
 */

/** The clock that is moved, and which check asks for it. */
interface Clock {
  /** Returns the time as `TargetTime.elapsed` does, in milliseconds. */
  elapsed(): number;
  /** Moves the target's clock, in milliseconds. */
  move(ms: number): Promise<void>;
  /** Returns an object that stands for the check that is running, and for no other. */
  running(): object;
}

/** A check that waits for a time. */
interface Sleeper {
  check: object;
  until: number;
  wake: () => void;
  fail: (error: unknown) => void;
}

/** A check whose work was passed to `join` and has not ended. */
interface Walker {
  /** How many of its waits are under way. */
  waits: number;
  /** How many milliseconds longer its waits may last, so that waits that end close together end at once. */
  slackMs: number;
}

/** See the module comment. */
export class InStep {
  /** How many checks may be awake (not waiting) at once; the others wake up in turn. */
  mostAwake = Number.POSITIVE_INFINITY;
  /** Called when a check begins to wait. */
  onAsleep: () => void = () => {};
  readonly #clock: Clock;
  readonly #walkers = new Map<object, Walker>();
  readonly #sleepers = new Set<Sleeper>();
  #isLooking = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether there is no check in step. */
  get isEmpty(): boolean {
    return this.#walkers.size === 0;
  }

  /** How many of the checks in step are waiting. */
  get asleep(): number {
    return this.#walkers.size - this.#awake;
  }

  /** Runs the work of a check in step with the others; see `Walker.slackMs`. */
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

  /**
   * Waits until `ms` have passed on the target.
   * @throws what moving the clock throws
   */
  wait(ms: number): Promise<void> {
    const check = this.#clock.running();
    return new Promise((wake, fail) => {
      this.#sleepers.add({ check, until: this.#clock.elapsed() + ms, wake, fail });
      this.#note(check, 1);
    });
  }

  /** Waits for work that another check does; meanwhile the clock may be moved. */
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

  /**
   * Moves the clock, if all checks wait, and wakes those whose time has come. This happens in a later turn of
   * the event loop, once everything that can go on without waiting has done so.
   */
  #look(): void {
    if (this.#isLooking || this.#sleepers.size === 0) return;
    this.#isLooking = true;
    setImmediate(async () => {
      const isMoved = this.#awake === 0 && (await this.#moveOn());
      this.#wakeDue();
      this.#isLooking = false;
      // Where the clock could not be moved, only the first waits ended, with an error; the others go on.
      if (isMoved || this.#awake === 0) this.#look();
    });
  }

  /**
   * Moves the clock to the time at which the first checks continue. Returns false, and ends their waits with
   * the error, when it cannot be moved.
   */
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

  /**
   * Returns the time to move the clock to: the end of the first wait, or of the last one that the slack of
   * those before it allows them to wait for.
   */
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

  /** Wakes the checks whose time has come, as many as may be awake. */
  #wakeDue(): void {
    const due = [...this.#sleepers].sort((a, b) => a.until - b.until);
    for (const sleeper of due) {
      if (sleeper.until > this.#clock.elapsed() || this.#awake >= this.mostAwake) return;
      this.#end(sleeper, sleeper.wake);
    }
  }

  #end(sleeper: Sleeper, how: () => void): void {
    this.#sleepers.delete(sleeper);
    // Noted before it continues, so that `#look` does not count it as waiting any more.
    const walker = this.#walkers.get(sleeper.check);
    if (walker) walker.waits -= 1;
    how();
  }
}
