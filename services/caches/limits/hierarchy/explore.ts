/** Runs random sequences of settings on the target, and compares what comes of them with the model. */
import type { Answer } from '../../../../lib/http/answer.ts';
import { labelOf, type Place } from '../../api/places.ts';
import type { Kind } from '../../vocabulary.ts';
import type { Limits } from '../limits.ts';
import { ROUND_STEP } from '../settable.ts';
import {
  ALL_RULES,
  above,
  below,
  judgeStep,
  type Node,
  note,
  noteSetting,
  type Rule,
  type State,
  type Step,
  stateOf,
} from './model.ts';
import { Sequence } from './sequence.ts';
import { shrink } from './shrink.ts';

/** A breach of a rule of the hierarchy by the target. */
export interface Breach {
  rule: Rule;
  /** The settings that lead to it, as few as were found; the last one shows the breach. */
  steps: readonly Step[];
  fault: string;
  answer: Answer;
}

/** The result of exploring. */
export interface Exploration {
  /** The rules that were tested and held. */
  held: Set<string>;
  breach: Breach | undefined;
  /** How many settings were sent, including those for shrinking. */
  settings: number;
}

/**
 * The least and the most settings of one sequence, of about two requests each. Between the two, the sequence
 * ends as soon as every rule has been tested.
 */
const LENGTH = { least: 16, most: 28 };
/**
 * The most settings that shrinking may send, not counting those that restore the starting values for each
 * try.
 */
const SHRINKING = 60;

/** The places of the model, and the values at which their limits start. */
interface World {
  places: ReadonlyMap<Node, Place>;
  start: ReadonlyMap<Node, number>;
}

/**
 * Explores one kind of limit with a random sequence of settings that depends on the seed. If a rule is
 * broken, looks for a shorter sequence that breaks it too. Throws `Blocked` if limits cannot be read or set
 * to their starting values.
 */
export async function explore(limits: Limits, kind: Kind, seed: number): Promise<Exploration> {
  const { values } = await limits.hierarchyFor(kind);
  const world = worldOf(limits, values);
  const sequence = new Sequence(world.start, valuesFrom(values), seed);
  const draw = (state: State, i: number) => {
    const enough = i >= LENGTH.least && sequence.rules.size === ALL_RULES.length;
    return enough || i >= LENGTH.most ? undefined : sequence.next(state);
  };
  const exploration: Exploration = { held: new Set(), breach: undefined, settings: 0 };
  exploration.breach = await play(limits, kind, world, draw, exploration);
  if (exploration.breach)
    exploration.breach = await shorten(limits, kind, world, exploration.breach, exploration);
  return exploration;
}

/**
 * Returns the values to set: those of `hierarchyFor`, one above all of them, and one between two of them, unless the
 * target may permit only round numbers.
 */
export function valuesFrom(values: readonly number[]): number[] {
  const step = values[0]! - values[1]!;
  const between = step % ROUND_STEP === 0 ? [] : [values[3]! + Math.floor(step / 2)];
  return [...values, values[0]! + step, ...between];
}

const KEYS = {
  E: 'enterprise',
  O: 'organization',
  P: 'otherOrganization',
  R: 'repository',
  S: 'otherRepository',
} as const;
/** The index in `values` at which each limit starts, with room to move it up and down. */
const START = { E: 0, O: 3, P: 3, R: 5, S: 5 } as const;

function worldOf({ places }: Limits, values: readonly number[]): World {
  const found = (Object.keys(KEYS) as Node[]).flatMap((node): [Node, Place][] => {
    const place = places.find(KEYS[node]);
    return place ? [[node, place]] : [];
  });
  return { places: new Map(found), start: new Map(found.map(([node]) => [node, values[START[node]]!])) };
}

/** Sends settings from the start until `next` returns none, or until the first breach, which is returned. */
async function play(
  limits: Limits,
  kind: Kind,
  { places, start }: World,
  next: (state: State, i: number) => Step | undefined,
  result: Exploration,
): Promise<Breach | undefined> {
  await limits.arrange(
    kind,
    [...start].map(([node, value]) => [places.get(node)!, value] as const),
  );
  const state = stateOf(start);
  const firm = new Set(start.keys());
  /** The step at which each limit last took the value that was sent. Refused settings do not count. */
  const given = new Map<Node, number>();
  const steps: Step[] = [];
  for (let step = next(state, 0); step !== undefined; step = next(state, steps.length)) {
    steps.push(step);
    const { node, value } = step;
    const place = places.get(node)!;
    const answer = await limits.set(place, kind, value);
    result.settings += 1;
    const read = await limits.api.readLimit(place, kind);
    const after = await limits.expectValue(read, place, kind);
    const outcome = { accepted: answer.ok, after };
    const { rule, fault } = judgeStep(step, state, outcome);
    if (rule && fault) return { rule, fault, steps, answer: answer.ok ? read : answer };
    if (rule) result.held.add(rule);
    noteSetting(state, step, outcome);
    if (answer.ok && after === value) {
      firm.add(node);
      given.set(node, steps.length - 1);
    }
    // The specification leaves open whether a limit follows the levels above it if it was never set to its
    // present value, or if a level above it has been lower since. Such limits are read again.
    for (const child of below(node, state)) {
      if (state.now.get(child)! > after) firm.delete(child);
      if (!firm.has(child)) note(state, child, await limits.inForce(places.get(child)!, kind));
    }
  }
  return breachAtEnd(limits, kind, places, steps, state, given);
}

/** Returns a breach if, at the end, a limit that was set after the levels above exceeds one of them. */
async function breachAtEnd(
  limits: Limits,
  kind: Kind,
  places: ReadonlyMap<Node, Place>,
  steps: readonly Step[],
  state: State,
  given: ReadonlyMap<Node, number>,
): Promise<Breach | undefined> {
  const lastOf = (node: Node) => steps.findLastIndex((step) => step.node === node);
  const looks = [...places].map(
    ([node, place]) =>
      async (): Promise<[Node, { value: number; read: Answer }]> => {
        const read = await limits.api.readLimit(place, kind);
        return [node, { value: await limits.expectValue(read, place, kind), read }];
      },
  );
  const final = new Map(await limits.session.together(looks));
  for (const [node, { value, read }] of final) {
    for (const parent of above(node, state)) {
      const cap = final.get(parent)!.value;
      if (value <= cap || (given.get(node) ?? -1) < lastOf(parent)) continue;
      const rule = parent === 'O' ? 'REPO-ORG' : node === 'R' || node === 'S' ? 'REPO-ENT' : 'ORG-ENT';
      return {
        rule,
        fault: `in the end reads ${value}, above the ${cap} of a level above it`,
        steps,
        answer: read,
      };
    }
  }
  return undefined;
}

/** Returns a breach of the same rule with as few settings as can be found within bounds. */
async function shorten(
  limits: Limits,
  kind: Kind,
  world: World,
  breach: Breach,
  result: Exploration,
): Promise<Breach> {
  let shortest = breach;
  const end = result.settings + SHRINKING;
  await shrink(breach.steps, async (shorter) => {
    if (result.settings + shorter.length > end) return undefined;
    const found = await play(limits, kind, world, (_, i) => shorter[i], result);
    if (found?.rule !== breach.rule || found.steps.length !== shorter.length) return false;
    shortest = found;
    return true;
  });
  return shortest;
}

/** Returns a sequence of settings as a sentence for the report. */
export function describeSteps(limits: Limits, kind: Kind, steps: readonly Step[]): string {
  return steps
    .map(
      ({ node, value }) =>
        `set the ${kind} limit of the ${labelOf(limits.places.need(KEYS[node]))} to ${value}`,
    )
    .join('; then ');
}
