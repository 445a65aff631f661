/** Random settings that put as many rules of the hierarchy to the test as can be (the model says which). */
import { above, capOf, copyOf, type Node, noteSetting, ruleOf, type State, type Step } from './model.ts';

/** A source of random numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How often a setting is chosen for what it puts to the test, now or next; else it is any. */
const PURPOSE = 0.8;

/** Rules that cannot come up any more once a level has been higher, or lower, than it is; soonest lost first. */
const PERISHABLE = ['REPO-ORG', 'REPO-EQUAL', 'REPO-LOWER', 'ORG-LOWER', 'ORG-EQUAL'];

/** Draws one setting after the other, each from what the limits are by then. */
export class Sequence {
  readonly #start: ReadonlyMap<Node, number>;
  readonly #values: readonly number[];
  readonly #random: () => number;
  readonly #rules = new Set<string>();

  /**
   * @param start what the limits are before
   * @param values what they may be set to, besides what others are
   */
  constructor(start: ReadonlyMap<Node, number>, values: readonly number[], seed: number) {
    this.#start = start;
    this.#values = values;
    this.#random = randomFrom(seed);
  }

  /** The rules that were put to the test. */
  get rules(): ReadonlySet<string> {
    return this.#rules;
  }

  /** The next setting; it changes something, or would if it were allowed. */
  next(state: State): Step {
    const possible = this.#possible(state);
    const urgent = PERISHABLE.some(
      (rule) => !this.#rules.has(rule) && possible.some((each) => ruleOf(each, state) === rule),
    );
    const step =
      urgent || this.#random() < PURPOSE ? this.#purposeful(possible, state) : this.#pick(possible);
    const rule = ruleOf(step, state);
    if (rule !== undefined) this.#rules.add(rule);
    return step;
  }

  /** A setting about a rule that is still to come; else one after which most of those can be. */
  #purposeful(possible: readonly Step[], state: State): Step {
    const fresh = possible.filter((step) => this.#isFresh(step, state));
    const soon = PERISHABLE.find((rule) => fresh.some((step) => ruleOf(step, state) === rule));
    if (fresh.length > 0)
      return this.#pick(fresh.filter((step) => soon === undefined || ruleOf(step, state) === soon));
    const gains = possible.map((step) => {
      const after = copyOf(state);
      // As far as can be told: it is accepted where it is allowed, and those below stay.
      if (step.value <= capOf(step.node, after))
        noteSetting(after, step, { accepted: true, after: step.value });
      const next = this.#possible(after).filter((each) => this.#isFresh(each, after));
      return new Set(next.map((each) => ruleOf(each, after))).size;
    });
    const most = Math.max(...gains);
    return this.#pick(possible.filter((_, i) => gains[i] === most));
  }

  #isFresh(step: Step, state: State): boolean {
    const rule = ruleOf(step, state);
    return rule !== undefined && !this.#rules.has(rule);
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)]!;
  }

  #possible(state: State): Step[] {
    const values = [...new Set([...this.#values, ...state.now.values()])];
    return [...this.#start].flatMap(([node, first]) => {
      // Nothing is raised above what it was before the run, unless a level above it has to prevent that.
      const free = above(node, state).length > 0;
      return values
        .filter((value) => value !== state.now.get(node) && (free || value <= first))
        .map((value) => ({ node, value }));
    });
  }
}
