/** Random sequences of settings that touch as many rules of the hierarchy as can be (a model says which). */
import { above, type Node, note, predict, ruleOf, type State, type Step, stateOf } from './model.ts';

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

/** So many sequences are drawn; the one that touches most rules is taken. */
const DRAWN = 60;

/**
 * A sequence of settings.
 *
 * @param start what the limits are before
 * @param values what they may be set to, besides values that the state suggests
 * @param length how many settings
 */
export function drawSequence(
  start: ReadonlyMap<Node, number>,
  values: readonly number[],
  length: number,
  seed: number,
): Step[] {
  let best: Step[] = [];
  let most = -1;
  for (let n = 0; n < DRAWN; n += 1) {
    const { steps, rules } = draw(start, values, length, randomFrom(seed + n));
    if (rules.size > most) [best, most] = [steps, rules.size];
  }
  return best;
}

/** The rules that a sequence touches on a target that does as `predict` says. */
export function rulesOf(start: ReadonlyMap<Node, number>, steps: readonly Step[]): Set<string> {
  const state = stateOf(start);
  const rules = new Set<string>();
  for (const step of steps) follow(step, state, rules);
  return rules;
}

function follow(step: Step, state: State, rules: Set<string>): void {
  const rule = ruleOf(step, state);
  if (rule !== undefined) rules.add(rule);
  note(state, step.node, predict(step, state).after);
}

function draw(
  start: ReadonlyMap<Node, number>,
  values: readonly number[],
  length: number,
  random: () => number,
) {
  const state = stateOf(start);
  const nodes = [...start.keys()];
  const rules = new Set<string>();
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const steps: Step[] = [];
  while (steps.length < length) {
    const node = pick(nodes);
    // What some limit is: equal to the level above, or just what another one has; else any value.
    const value = random() < 0.3 ? state.now.get(pick(nodes))! : pick(values);
    // Nothing is raised above what it was before the run, unless a level above it has to prevent that.
    const beyond = above(node, state).length === 0 && value > start.get(node)!;
    if (value === state.now.get(node) || beyond) continue;
    const step = { node, value };
    follow(step, state, rules);
    steps.push(step);
  }
  return { steps, rules };
}
