/**
 * Decides which checks may begin beside those under way, and gives checks turns in which no other one runs.
 */
import { CLOCK, mayRunBeside, type Touches } from '../check/touches.ts';
import { type LaneOptions, type Planned, used } from './lane-order.ts';

/** Checks of a suite and a phase that use the same shared things in the same way. */
interface Kind {
  touches: Touches;
  /** What they need alone, apart from the clock. */
  alone: readonly string[];
  /** How many of them are under way. */
  running: number;
  /** How many of them are foundation checks that have not ended. */
  openFoundationChecks: number;
  /** Whether they may run beside another kind, as far as that was asked before. */
  beside: Map<Kind, boolean>;
  /** Whether one of them may begin; absent where that was not asked since a check last began or ended. */
  mayBegin?: boolean | undefined;
}

/**
 * Decides which checks may begin beside those under way. It compares kinds, not checks: there are many
 * checks, and few kinds of them.
 */
export class Rules<C extends Planned> {
  /** How many checks are under way. */
  running = 0;
  readonly #isRandom: boolean;
  readonly #kinds = new Map<string, Kind>();
  readonly #kindOf = new Map<C, Kind>();
  /** How many foundation checks of each suite have not ended. */
  readonly #openFoundationChecks = new Map<string, number>();
  /**
   * For each shared thing, how many checks use it and have not
   * ended, apart from those that wait until all others have.
   */
  readonly #using = new Map<string, number>();

  /** @param touchesOf returns what a check touches on this target */
  constructor(checks: readonly C[], touchesOf: (check: C) => Touches, order: LaneOptions['order']) {
    this.#isRandom = order === 'random';
    for (const check of checks) {
      const uses = Object.entries(touchesOf(check)).filter(([, use]) => use !== undefined);
      const key = JSON.stringify([check.suite, check.phase, uses.sort()]);
      const touches: Touches = Object.fromEntries(uses);
      const kind = this.#kinds.get(key) ?? {
        touches,
        alone: used({ touches }, 'alone'),
        running: 0,
        openFoundationChecks: 0,
        beside: new Map(),
      };
      this.#kinds.set(key, kind);
      this.#kindOf.set(check, kind);
      this.#count(check, 1);
    }
  }

  /** What a check needs alone, apart from the clock. */
  neededAlone(check: C): readonly string[] {
    return (this.#kindOf.get(check) as Kind).alone;
  }

  mayBegin(check: C): boolean {
    const kind = this.#kindOf.get(check) as Kind;
    kind.mayBegin ??= this.#allows(check, kind);
    return kind.mayBegin;
  }

  #allows(check: C, kind: Kind): boolean {
    if (this.#lastFor(check).some((name) => this.#using.get(name))) return false;
    // Whatever could delay a foundation of any suite would delay all other checks of that suite.
    const isAnyTime = this.#isRandom || check.phase === 'foundation';
    if (!isAnyTime && this.#openFoundationChecks.get(check.suite)) return false;
    return [...this.#kinds.values()].every(
      (other) =>
        (other.running === 0 && (isAnyTime || other.openFoundationChecks === 0)) || beside(kind, other),
    );
  }

  begin(check: C): void {
    this.#countRunning(check, 1);
  }

  end(check: C): void {
    this.#countRunning(check, -1);
    this.#count(check, -1);
  }

  #countRunning(check: C, by: number): void {
    (this.#kindOf.get(check) as Kind).running += by;
    this.running += by;
    for (const kind of this.#kinds.values()) kind.mayBegin = undefined;
  }

  #count(check: C, by: number): void {
    if (check.phase === 'foundation') {
      this.#openFoundationChecks.set(check.suite, (this.#openFoundationChecks.get(check.suite) ?? 0) + by);
      (this.#kindOf.get(check) as Kind).openFoundationChecks += by;
    }
    const last = this.#lastFor(check);
    for (const name of Object.keys(this.#touches(check)))
      if (!last.includes(name)) this.#using.set(name, (this.#using.get(name) ?? 0) + by);
  }

  /**
   * The shared things that a check of the `late` phase may use only after all others have used them. It
   * leaves them in a state that others would rather not meet, or lets expire what was made once for all. Of
   * the uses of the clock only moving it counts: most checks let seconds pass, and that disturbs none.
   */
  #lastFor(check: C): string[] {
    if (check.phase !== 'late') return [];
    const touches = this.#touches(check);
    return Object.keys(touches).filter((name) => name !== CLOCK || touches[name] === 'move');
  }

  #touches(check: C): Touches {
    return (this.#kindOf.get(check) as Kind).touches;
  }
}

function beside(one: Kind, other: Kind): boolean {
  const known = one.beside.get(other) ?? mayRunBeside(one.touches, other.touches);
  one.beside.set(other, known);
  return known;
}

/** Gives checks turns in which no other check runs. While one waits for its turn, no further check begins. */
export class Alone {
  readonly #running: () => number;
  readonly #queue: (() => void)[] = [];
  #isTaken = false;

  /** @param running returns how many checks are under way, those that wait for their turn included */
  constructor(running: () => number) {
    this.#running = running;
  }

  get isAsked(): boolean {
    return this.#isTaken || this.#queue.length > 0;
  }

  /**
   * Does `work` while no other check runs.
   * @param wait waits for the given turn
   */
  async do<T>(work: () => Promise<T>, wait: (turn: Promise<void>) => Promise<void>): Promise<T> {
    const turn = new Promise<void>((resolve) => {
      this.#queue.push(resolve);
    });
    this.look();
    await wait(turn);
    try {
      return await work();
    } finally {
      this.#isTaken = false;
      this.look();
    }
  }

  /** Gives the first in the queue its turn, once every check under way is waiting for one. */
  look(): void {
    if (this.#isTaken || this.#queue.length === 0 || this.#queue.length < this.#running()) return;
    this.#isTaken = true;
    this.#queue.shift()?.();
  }
}
