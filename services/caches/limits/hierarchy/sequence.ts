/** Random sequences of settings that test as many rules of the hierarchy as possible (see the model). */
import { randomFrom } from '../../../../lib/check/data.ts';
import { above, capOf, copyOf, type Node, noteSetting, ruleOf, type State, type Step } from './model.ts';

/**
 * The probability that a setting is chosen for the rules that it tests, now or next, rather than at random.
 */
const PURPOSE = 0.8;

/**
 * Rules that can no longer be tested once a level has been higher, or lower, than it is now. Those that are
 * lost soonest come first.
 */
const PERISHABLE = ['REPO-ORG', 'REPO-EQUAL', 'REPO-LOWER', 'ORG-LOWER', 'ORG-EQUAL'];

/** Draws one setting after the other, each according to the limits at that time. */
export class Sequence {
  readonly #start: ReadonlyMap<Node, number>;
  readonly #values: readonly number[];
  readonly #random: () => number;
  readonly #rules = new Set<string>();

  /**
   * @param start the limits at the start of the sequence
   * @param values the values to which limits may be set, besides the present values of other limits
   * @param seed the seed of the random choices
   */
  constructor(start: ReadonlyMap<Node, number>, values: readonly number[], seed: number) {
    this.#start = start;
    this.#values = values;
    this.#random = randomFrom(seed);
  }

  /** The rules that the settings so far test. */
  get rules(): ReadonlySet<string> {
    return this.#rules;
  }

  /** Returns the next setting. It never sets a limit to the value that it already has. */
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

  /**
   * Returns a setting that tests a new rule; if there is none, one after which most new rules can be tested.
   */
  #purposeful(possible: readonly Step[], state: State): Step {
    const fresh = possible.filter((step) => this.#isFresh(step, state));
    const soon = PERISHABLE.find((rule) => fresh.some((step) => ruleOf(step, state) === rule));
    if (fresh.length > 0)
      return this.#pick(fresh.filter((step) => soon === undefined || ruleOf(step, state) === soon));
    const gains = possible.map((step) => {
      const after = copyOf(state);
      // An estimate: the setting is accepted if it is allowed, and the limits below it stay as they are.
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
      // The top level is never raised above its value at the start. Others may be: the levels above must
      // prevent it.
      const free = above(node, state).length > 0;
      return values
        .filter((value) => value !== state.now.get(node) && (free || value <= first))
        .map((value) => ({ node, value }));
    });
  }
}
