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
interface PendingWait {
  check: object;
  until: number;
  /** How many milliseconds longer it may last. */
  slackMs: number;
  resume: () => void;
  fail: (error: unknown) => void;
}

/** A check whose work was passed to `join` and has not ended. */
interface RunningCheck {
  /** How many of its waits are under way. */
  waits: number;
  /** How many milliseconds longer its waits may last, so that waits that end close together end at once. */
  slackMs: number;
}

/** See the module comment. */
export class InStep {
  /** How many checks may be active (not waiting) at once; the others continue in turn. */
  maxActive = Number.POSITIVE_INFINITY;
  /** Called when a check begins to wait. */
  onWait: () => void = () => {};
  readonly #clock: Clock;
  readonly #checks = new Map<object, RunningCheck>();
  readonly #waits = new Set<PendingWait>();
  #isMoving = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether there is no check in step. */
  get isEmpty(): boolean {
    return this.#checks.size === 0;
  }

  /** How many of the checks in step are waiting. */
  get waitingChecks(): number {
    return this.#checks.size - this.#active;
  }

  /** Runs the work of a check in step with the others; see `RunningCheck.slackMs`. */
  async join<T>(work: () => Promise<T>, slackMs: number): Promise<T> {
    const check = this.#clock.running();
    this.#checks.set(check, { waits: 0, slackMs });
    try {
      return await work();
    } finally {
      this.#checks.delete(check);
      this.#moveClockIfAllWait();
    }
  }

  /**
   * Waits until `ms` have passed on the target.
   * @param slackMs how much longer this wait may last, if more than any wait of the check may
   * @throws what moving the clock throws
   */
  wait(ms: number, slackMs = 0): Promise<void> {
    const check = this.#clock.running();
    const most = Math.max(slackMs, this.#checks.get(check)?.slackMs ?? 0);
    return new Promise((resume, fail) => {
      this.#waits.add({ check, until: this.#clock.elapsed() + ms, slackMs: most, resume, fail });
      this.#note(check, 1);
    });
  }

  /** Waits for work that another check does; meanwhile the clock may be moved. */
  async whileWaitingFor<T>(works: Promise<T>): Promise<T> {
    const check = this.#clock.running();
    this.#note(check, 1);
    try {
      return await works;
    } finally {
      this.#note(check, -1);
    }
  }

  get #active(): number {
    return [...this.#checks.values()].filter(({ waits }) => waits === 0).length;
  }

  #note(check: object, more: number): void {
    const running = this.#checks.get(check);
    if (running) running.waits += more;
    this.#moveClockIfAllWait();
    if (more > 0) this.onWait();
  }

  /**
   * Moves the clock, if all checks wait, and resumes those whose time has come. This happens in a later turn of
   * the event loop, once everything that can go on without waiting has done so.
   */
  #moveClockIfAllWait(): void {
    if (this.#isMoving || this.#waits.size === 0) return;
    this.#isMoving = true;
    setImmediate(async () => {
      const isMoved = this.#active === 0 && (await this.#moveOn());
      this.#resumeDue();
      this.#isMoving = false;
      // Where the clock could not be moved, only the first waits ended, with an error; the others go on.
      if (isMoved || this.#active === 0) this.#moveClockIfAllWait();
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
      for (const wait of [...this.#waits].filter((each) => each.until <= until))
        this.#end(wait, () => wait.fail(error));
      return false;
    }
  }

  /**
   * Returns the time to move the clock to: the end of the first wait, or of the last one that the slack of
   * those before it allows them to wait for.
   */
  #goal(): number {
    const pending = [...this.#waits].sort((a, b) => a.until - b.until);
    let goal = pending[0]!.until;
    let latest = Number.POSITIVE_INFINITY;
    for (const { until, slackMs } of pending) {
      latest = Math.min(latest, until + slackMs);
      if (until > latest) break;
      goal = until;
    }
    return goal;
  }

  /** Resumes the checks whose time has come, as many as may be active. */
  #resumeDue(): void {
    const due = [...this.#waits].sort((a, b) => a.until - b.until);
    for (const wait of due) {
      if (wait.until > this.#clock.elapsed() || this.#active >= this.maxActive) return;
      this.#end(wait, wait.resume);
    }
  }

  #end(wait: PendingWait, how: () => void): void {
    this.#waits.delete(wait);
    // Noted before it continues, so that `#moveClockIfAllWait` does not count it as waiting any more.
    const running = this.#checks.get(wait.check);
    if (running) running.waits -= 1;
    how();
  }
}
