/**
 * The hierarchy rule as a model (sections 1 and 8): given what is in force, what a setting may come to and
 * what not, and which requirement it is when it comes to something else.
 */

/** A place in the model: `E` the enterprise, `O` and `P` its organizations, `R` and `S` repositories of `O`. */
export type Node = 'E' | 'O' | 'P' | 'R' | 'S';

/** Every rule that a setting can be about: the ends of requirement ids. */
export const ALL_RULES = [
  'ORG-ENT',
  'REPO-ORG',
  'REPO-ENT',
  'ORG-ENT-LOWERED',
  'REPO-ORG-LOWERED',
  'REPO-ENT-LOWERED',
  'RAISED',
  'ORG-EQUAL',
  'REPO-EQUAL',
  'ORG-LOWER',
  'REPO-LOWER',
  'PARENT-ABOVE',
] as const;

/** One of them. */
export type Rule = (typeof ALL_RULES)[number];

/** One setting. */
export interface Step {
  node: Node;
  value: number;
}

/** What each limit is, and what it has been: as far as the model knows, or as it was read. */
export interface State {
  now: Map<Node, number>;
  /** What each was last set to with success. */
  set: Map<Node, number>;
  /** The highest and the lowest that each has been. */
  highest: Map<Node, number>;
  lowest: Map<Node, number>;
}

/** What a setting came to. */
export interface Outcome {
  accepted: boolean;
  /** What the limit reads afterwards. */
  after: number;
}

/** What is said of one setting: which rule it was about, and how it was broken. */
export interface Judgement {
  /** The end of the requirement's id: `ORG-ENT`; undefined where everything is allowed. */
  rule: Rule | undefined;
  fault: string | undefined;
}

const PARENTS: Readonly<Record<Node, readonly Node[]>> = {
  E: [],
  O: ['E'],
  P: ['E'],
  R: ['O', 'E'],
  S: ['O', 'E'],
};
const CHILDREN: Readonly<Record<Node, readonly Node[]>> = {
  E: ['O', 'P', 'R', 'S'],
  O: ['R', 'S'],
  P: [],
  R: [],
  S: [],
};

/** A state in which limits have these values and have never had others. */
export function stateOf(values: Iterable<[Node, number]>): State {
  const now = new Map(values);
  return { now, set: new Map(now), highest: new Map(now), lowest: new Map(now) };
}

/** A state that can be changed without the other. */
export function copyOf({ now, set, highest, lowest }: State): State {
  return { now: new Map(now), set: new Map(set), highest: new Map(highest), lowest: new Map(lowest) };
}

/** Places below one that are in the state. */
export function below(node: Node, { now }: State): Node[] {
  return CHILDREN[node].filter((each) => now.has(each));
}

/** The places above one that are in the state, nearest first. */
export function above(node: Node, { now }: State): Node[] {
  return PARENTS[node].filter((each) => now.has(each));
}

/** Notes what a limit reads. */
export function note(state: State, node: Node, value: number): void {
  state.now.set(node, value);
  state.highest.set(node, Math.max(value, state.highest.get(node) ?? value));
  state.lowest.set(node, Math.min(value, state.lowest.get(node) ?? value));
}

/** Notes what a setting came to. */
export function noteSetting(state: State, { node, value }: Step, { accepted, after }: Outcome): void {
  if (accepted && after === value) state.set.set(node, value);
  note(state, node, after);
}

/** The lowest limit in force above a place. */
export function capOf(node: Node, state: State): number {
  return Math.min(...above(node, state).map((each) => state.now.get(each)!));
}

/** Which rule a setting is about; undefined where any outcome is allowed. */
export function ruleOf({ node, value }: Step, state: State): Rule | undefined {
  const level = node === 'E' ? 'ENT' : node === 'O' || node === 'P' ? 'ORG' : 'REPO';
  if (value > capOf(node, state)) return ruleAbove(node, value, state);
  // Lowering a level below what is under it, in the model or not, is left open.
  if (level !== 'REPO' && value < state.now.get(node)!) return undefined;
  if (level === 'ENT') return below(node, state).length > 0 ? 'PARENT-ABOVE' : undefined;
  const raised = above(node, state).some((each) => state.lowest.get(each)! < value);
  if (value === capOf(node, state)) return raised ? undefined : `${level}-EQUAL`;
  return raised ? 'RAISED' : `${level}-LOWER`;
}

function ruleAbove(node: Node, value: number, { now, set, highest }: State): Rule {
  const enterprise = now.get('E') ?? Number.POSITIVE_INFINITY;
  const wasAllowed = (each: Node) => (highest.get(each) ?? Number.NEGATIVE_INFINITY) >= value;
  if (node === 'O' || node === 'P') return wasAllowed('E') ? 'ORG-ENT-LOWERED' : 'ORG-ENT';
  // The organization was set to as much, before the enterprise was lowered under it.
  const organization = Math.max(now.get('O') ?? Number.POSITIVE_INFINITY, set.get('O') ?? 0);
  if (value > enterprise) return value <= organization ? 'REPO-ENT-LOWERED' : 'REPO-ENT';
  return wasAllowed('O') ? 'REPO-ORG-LOWERED' : 'REPO-ORG';
}

/** Holds what a setting came to against the rule. `state` is that before the setting. */
export function judgeStep(step: Step, state: State, { accepted, after }: Outcome): Judgement {
  const { node, value } = step;
  const rule = ruleOf(step, state);
  if (rule === undefined) return { rule, fault: undefined };
  const before = state.now.get(node)!;
  const cap = capOf(node, state);
  if (value > cap) {
    // A child that its parent was lowered under may keep its old value; no other one may be above.
    const fault =
      after > cap && (after !== before || after === value)
        ? `reads ${after}, above the ${cap} of a level above it`
        : undefined;
    return { rule, fault };
  }
  if (!accepted)
    return {
      rule,
      fault: `is refused, although ${Number.isFinite(cap) ? `the levels above allow ${cap}` : 'nothing is above it'}`,
    };
  return {
    rule,
    fault: after === value || rule === 'PARENT-ABOVE' ? undefined : `is accepted and reads ${after}`,
  };
}
