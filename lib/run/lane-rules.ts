/** Which checks may begin, given those that are under way; and turns of checks while no other one runs. */
import { CLOCK, mayRunBeside, type Touches } from '../check/touches.ts';
import type { LaneOptions, Planned } from './lane-order.ts';

/** Checks that touch the same things in the same way. */
interface Kind {
  touches: Touches;
  /** How many of them are under way. */
  running: number;
  /** Whether they may run beside another kind. */
  beside: Map<Kind, boolean>;
}

/** Says which checks may begin, given those that are under way. There are many checks, and few kinds of them. */
export class Rules<C extends Planned> {
  /** How many checks are under way. */
  running = 0;
  readonly #isRandom: boolean;
  readonly #kinds = new Map<string, Kind>();
  readonly #kindOf = new Map<C, Kind>();
  /** How many checks of each suite lay its foundation and have not ended. */
  readonly #unlaid = new Map<string, number>();
  /** For each thing, how many checks use it and have not ended, but those that come last. */
  readonly #using = new Map<string, number>();

  /** @param touchesOf what a check touches on this target */
  constructor(checks: readonly C[], touchesOf: (check: C) => Touches, order: LaneOptions['order']) {
    this.#isRandom = order === 'random';
    for (const check of checks) {
      const used = Object.entries(touchesOf(check)).filter(([, use]) => use !== undefined);
      const key = JSON.stringify(used.sort());
      const touches: Touches = Object.fromEntries(used);
      const kind = this.#kinds.get(key) ?? { touches, running: 0, beside: new Map() };
      this.#kinds.set(key, kind);
      this.#kindOf.set(check, kind);
      this.#count(check, 1);
    }
  }

  mayBegin(check: C): boolean {
    if (this.#lastFor(check).some((name) => this.#using.get(name))) return false;
    const isLaid = this.#isRandom || check.phase === 'foundation' || !this.#unlaid.get(check.suite);
    const kind = this.#kindOf.get(check) as Kind;
    return isLaid && [...this.#kinds.values()].every((other) => other.running === 0 || beside(kind, other));
  }

  begin(check: C): void {
    (this.#kindOf.get(check) as Kind).running += 1;
    this.running += 1;
  }

  end(check: C): void {
    (this.#kindOf.get(check) as Kind).running -= 1;
    this.running -= 1;
    this.#count(check, -1);
  }

  #count(check: C, by: number): void {
    if (check.phase === 'foundation')
      this.#unlaid.set(check.suite, (this.#unlaid.get(check.suite) ?? 0) + by);
    const last = this.#lastFor(check);
    for (const name of Object.keys(this.#touches(check)))
      if (!last.includes(name)) this.#using.set(name, (this.#using.get(name) ?? 0) + by);
  }

  /**
   * What a check uses of which it comes last. What it does to these things others would rather not meet; what it lets
   * expire was made once, for all who look at it. Seconds, which most let pass, are in nobody's way.
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

/** Turns of checks that do something while no other one runs. None begins until they have had them. */
export class Alone {
  readonly #running: () => number;
  readonly #queue: (() => void)[] = [];
  #isTaken = false;

  /** @param running how many checks are under way, those that wait for their turn included */
  constructor(running: () => number) {
    this.#running = running;
  }

  get isAsked(): boolean {
    return this.#isTaken || this.#queue.length > 0;
  }

  /** @param wait how to wait for the turn */
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

  /** Gives the first one its turn, once all that run wait for theirs. */
  look(): void {
    if (this.#isTaken || this.#queue.length === 0 || this.#queue.length < this.#running()) return;
    this.#isTaken = true;
    this.#queue.shift()?.();
  }
}
