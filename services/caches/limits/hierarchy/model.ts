/**
 * The hierarchy of limits as a model (sections 1 and 8). Given the limits in force, it says which results of
 * a setting are allowed, and which requirement another result violates.
 */

/**
 * A place in the model: `E` the enterprise, `O` and `P` its organizations, `R` and `S` repositories of `O`.
 */
export type Node = 'E' | 'O' | 'P' | 'R' | 'S';

/** Every rule that a setting can test, as the ends of requirement ids. */
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

/** One rule of the hierarchy. */
export type Rule = (typeof ALL_RULES)[number];

/** A setting of one limit. */
export interface Step {
  node: Node;
  value: number;
}

/** The present and earlier values of each limit, as far as the model knows them or as they were read. */
export interface State {
  now: Map<Node, number>;
  /** The value to which each limit was last set successfully. */
  set: Map<Node, number>;
  /** The highest and the lowest value that each limit has had. */
  highest: Map<Node, number>;
  lowest: Map<Node, number>;
}

/** The result of a setting. */
export interface Outcome {
  accepted: boolean;
  /** The value that the limit reads afterwards. */
  after: number;
}

/** The judgement of one setting: the rule that it tested, and the fault if it broke that rule. */
export interface Judgement {
  /** The end of the requirement's id, such as `ORG-ENT`; undefined if every result is allowed. */
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

/** Returns a state in which the limits have these values and have never had others. */
export function stateOf(values: Iterable<[Node, number]>): State {
  const now = new Map(values);
  return { now, set: new Map(now), highest: new Map(now), lowest: new Map(now) };
}

/** Returns an independent copy of a state. */
export function copyOf({ now, set, highest, lowest }: State): State {
  return { now: new Map(now), set: new Map(set), highest: new Map(highest), lowest: new Map(lowest) };
}

/** Returns the places below one that are in the state. */
export function below(node: Node, { now }: State): Node[] {
  return CHILDREN[node].filter((each) => now.has(each));
}

/** Returns the places above one that are in the state, nearest first. */
export function above(node: Node, { now }: State): Node[] {
  return PARENTS[node].filter((each) => now.has(each));
}

/** Notes the value that a limit reads. */
export function note(state: State, node: Node, value: number): void {
  state.now.set(node, value);
  state.highest.set(node, Math.max(value, state.highest.get(node) ?? value));
  state.lowest.set(node, Math.min(value, state.lowest.get(node) ?? value));
}

/** Notes the result of a setting. */
export function noteSetting(state: State, { node, value }: Step, { accepted, after }: Outcome): void {
  if (accepted && after === value) state.set.set(node, value);
  note(state, node, after);
}

/** Returns the lowest limit in force above a place; infinite if there is no level above it. */
export function capOf(node: Node, state: State): number {
  return Math.min(...above(node, state).map((each) => state.now.get(each)!));
}

/** Returns the rule that a setting tests, or undefined if every result is allowed. */
export function ruleOf({ node, value }: Step, state: State): Rule | undefined {
  const level = node === 'E' ? 'ENT' : node === 'O' || node === 'P' ? 'ORG' : 'REPO';
  if (value > capOf(node, state)) return ruleAbove(node, value, state);
  // The specification leaves open what happens when a level is lowered below the limits of levels under it,
  // and there may be such levels that are not in the model.
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
  // The organization may have been set to this much before the enterprise was lowered below it.
  const organization = Math.max(now.get('O') ?? Number.POSITIVE_INFINITY, set.get('O') ?? 0);
  if (value > enterprise) return value <= organization ? 'REPO-ENT-LOWERED' : 'REPO-ENT';
  return wasAllowed('O') ? 'REPO-ORG-LOWERED' : 'REPO-ORG';
}

/** Judges the result of a setting by its rule. `state` is the state before the setting. */
export function judgeStep(step: Step, state: State, { accepted, after }: Outcome): Judgement {
  const { node, value } = step;
  const rule = ruleOf(step, state);
  if (rule === undefined) return { rule, fault: undefined };
  const before = state.now.get(node)!;
  const cap = capOf(node, state);
  if (value > cap) {
    // A limit whose parent was lowered below it may keep its value, but not take another above the cap.
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
