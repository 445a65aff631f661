/** Runs sequences of settings on the target, side by side with the model. */
import type { Answer } from '../../../../lib/http/answer.ts';
import { labelOf, type Place } from '../../api/places.ts';
import type { Kind } from '../../vocabulary.ts';
import type { Limits } from '../limits.ts';
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

/** A rule that a sequence breaks. */
export interface Breach {
  rule: Rule;
  /** The settings that lead to it, the last one being the one at fault; as short as it was found. */
  steps: readonly Step[];
  fault: string;
  answer: Answer;
}

/** What exploring came to. */
export interface Exploration {
  /** Rules that were put to the test and held. */
  held: Set<string>;
  breach: Breach | undefined;
  /** Settings sent, those of shrinking included. */
  settings: number;
}

/**
 * Settings in one sequence, about two requests each: at least and at most; between the two it ends once every rule
 * had its turn.
 */
const LENGTH = { least: 16, most: 28 };
/** Settings that shrinking may send, those that arrange the start of each try not counted. */
const SHRINKING = 60;

/** The places and their values in the model. */
interface World {
  places: ReadonlyMap<Node, Place>;
  start: ReadonlyMap<Node, number>;
}

/**
 * Explores one kind of limit with a sequence that depends on the seed. Throws `Blocked` where limits cannot be
 * read or arranged.
 */
export async function explore(limits: Limits, kind: Kind, seed: number): Promise<Exploration> {
  const { v } = await limits.ladder(kind);
  const world = worldOf(limits, v);
  const sequence = new Sequence(world.start, valuesFrom(v), seed);
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

/** Values of the ladder, one between two of them, and one that is above everything. */
export function valuesFrom(v: readonly number[]): number[] {
  const step = v[0]! - v[1]!;
  return [...v, v[0]! + step, v[3]! + Math.floor(step / 2)];
}

const KEYS = {
  E: 'enterprise',
  O: 'organization',
  P: 'otherOrganization',
  R: 'repository',
  S: 'otherRepository',
} as const;
/** Where each starts on the ladder: with room above and below. */
const START = { E: 0, O: 3, P: 3, R: 5, S: 5 } as const;

function worldOf({ places }: Limits, v: readonly number[]): World {
  const found = (Object.keys(KEYS) as Node[]).flatMap((node): [Node, Place][] => {
    const place = places.find(KEYS[node]);
    return place ? [[node, place]] : [];
  });
  return { places: new Map(found), start: new Map(found.map(([node]) => [node, v[START[node]]!])) };
}

/** Plays settings from the start until `next` gives none; ends with the first breach. */
async function play(
  limits: Limits,
  kind: Kind,
  { places, start }: World,
  next: (state: State, i: number) => Step | undefined,
  told: Exploration,
): Promise<Breach | undefined> {
  await limits.arrange(
    kind,
    [...start].map(([node, value]) => [places.get(node)!, value] as const),
  );
  const state = stateOf(start);
  const firm = new Set(start.keys());
  /** When each was last given the value that was asked for; what is refused changes nothing. */
  const given = new Map<Node, number>();
  const steps: Step[] = [];
  for (let step = next(state, 0); step !== undefined; step = next(state, steps.length)) {
    steps.push(step);
    const { node, value } = step;
    const place = places.get(node)!;
    const answer = await limits.set(place, kind, value);
    told.settings += 1;
    const read = await limits.api.readLimit(place, kind);
    const after = await limits.expectValue(read, place, kind);
    const outcome = { accepted: answer.ok, after };
    const { rule, fault } = judgeStep(step, state, outcome);
    if (rule && fault) return { rule, fault, steps, answer: answer.ok ? read : answer };
    if (rule) told.held.add(rule);
    noteSetting(state, step, outcome);
    if (answer.ok && after === value) {
      firm.add(node);
      given.set(node, steps.length - 1);
    }
    // What was not set to just what it is, or has had a lower level above it since, may follow the levels
    // above it: that is left open, so it is read again.
    for (const child of below(node, state)) {
      if (state.now.get(child)! > after) firm.delete(child);
      if (!firm.has(child)) note(state, child, await limits.inForce(places.get(child)!, kind));
    }
  }
  return stray(limits, kind, places, steps, state, given);
}

/** At the end nothing that was set after the levels above it may be above them. */
async function stray(
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

/** The same breach with as few settings as can be found within bounds. */
async function shorten(
  limits: Limits,
  kind: Kind,
  world: World,
  breach: Breach,
  told: Exploration,
): Promise<Breach> {
  let shortest = breach;
  const end = told.settings + SHRINKING;
  await shrink(breach.steps, async (shorter) => {
    if (told.settings + shorter.length > end) return undefined;
    const found = await play(limits, kind, world, (_, i) => shorter[i], told);
    if (found?.rule !== breach.rule || found.steps.length !== shorter.length) return false;
    shortest = found;
    return true;
  });
  return shortest;
}

/** A sequence as a person reads it. */
export function tell(limits: Limits, kind: Kind, steps: readonly Step[]): string {
  return steps
    .map(
      ({ node, value }) =>
        `set the ${kind} limit of the ${labelOf(limits.places.need(KEYS[node]))} to ${value}`,
    )
    .join('; then ');
}
