/** Sets a limit to two values, and looks at all other limits: for the checks of settings. */
import { perRun } from '../../lib/check/per-run.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { Blocked } from '../../lib/model/verdict.ts';
import { type Place, samePlace } from '../../services/caches/api/places.ts';
import { raiseOtherOrganization, type Watched, watchedBy } from '../../services/caches/limits/watched.ts';
import { KINDS, type Kind, LEVELS, type Level, otherKind } from '../../services/caches/vocabulary.ts';
import type { CacheContext } from './suite.ts';

/** One of two settings. */
interface Step {
  value: number;
  answer: Answer;
  read: Answer;
}

/** A limit that is set to one value and then to another, and what all other limits read before and after. */
export interface TriedSettings {
  place: Place;
  steps: [Step, Step];
  others: (Watched & { after: number; read: Answer })[];
  /** Why the other levels could not be set as planned, if so: a refusal may be due to that. */
  obstacle: Blocked | undefined;
}

/** Limits to set, as indexes of the values of `hierarchyFor`. */
interface Plan {
  /** The limits of all levels before one of them is tried. */
  start: [number, number, number];
  /** The values to which that limit is set. */
  values: [number, number];
  /** The values for a second try. Other places may still have the last value of the first try. */
  again: [number, number];
}

const PLAN: Record<Level, Plan> = {
  enterprise: { start: [0, 3, 5], values: [1, 2], again: [1, 2] },
  organization: { start: [0, 5, 5], values: [1, 2], again: [1, 2] },
  // These values are lower, since the organization of another watched repository may cap it.
  repository: { start: [0, 1, 5], values: [2, 3], again: [3, 4] },
};

/** Sets the other levels so that nothing prevents the settings, or returns why that failed. */
async function prepared({ limits }: CacheContext, level: Level, kind: Kind): Promise<Blocked | undefined> {
  const { values, ...places } = await limits.hierarchyFor(kind, level);
  const { start } = PLAN[level];
  const at = LEVELS.indexOf(level);
  const place = places[level];
  const others = (which: (i: number) => boolean) =>
    LEVELS.flatMap((each, i): [Place, number][] =>
      which(i) && places[each] ? [[places[each], values[start[i]!]!]] : [],
    );
  try {
    await limits.arrange(
      kind,
      others((i) => i < at),
    );
    // The level itself is raised only for the levels below. Whether it can be set is tried later.
    if ((await limits.known(place, kind)) < values[start[at]!]!)
      await limits.set(place, kind, values[start[at]!]!);
    await limits.arrange(
      kind,
      others((i) => i > at),
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof Blocked)) throw error;
    // If the levels above allow the values as they are, the settings can be tried nevertheless.
    for (const above of LEVELS.slice(0, at).flatMap((each) => places[each] ?? []))
      if ((await limits.inForce(above, kind)) < values[PLAN[level].values[0]]!) throw error;
    return error;
  }
}

/** Like `prepared`, but also sets the limits of the other kind. */
async function bothPrepared(context: CacheContext, level: Level, kind: Kind): Promise<Blocked | undefined> {
  const [, obstacle] = await context.session.together([
    () => setOtherLimit(context, otherKind(kind)),
    () => prepared(context, level, kind),
  ]);
  if (level === 'repository' && !obstacle) {
    const { values } = await context.limits.hierarchyFor(kind);
    await raiseOtherOrganization(context.limits, kind, values[0]);
  }
  return obstacle;
}

export const triedSettings = perRun(
  'caches: settings of one limit tried',
  async (context: CacheContext, level: Level, kind: Kind): Promise<TriedSettings> => {
    const { limits, places } = context;
    const first = await trySettings(context, [level, kind], PLAN[level].values);
    const main = LEVELS.map((each) => places.find(each));
    // Whether limits of other places at lower levels follow a setting is not judged.
    const isFree = ({ place }: Watched) =>
      LEVELS.indexOf(place.level) > LEVELS.indexOf(level) &&
      !main.some((each) => each && samePlace(each, place));
    const isUsual =
      !first.obstacle &&
      first.steps.every(({ value, answer, read }) => answer.ok && limits.valueIn(read, kind) === value) &&
      first.others.every((other) => isFree(other) || other.before === other.after);
    if (isUsual) return first;
    // The limits may differ from what the run assumes, since settings of other limits may have changed them.
    for (const each of KINDS) await limits.refresh(each);
    return trySettings(context, [level, kind], PLAN[level].again);
  },
);

/** Sets a limit to two values, and reads it and all watched limits after each setting. */
async function trySettings(
  context: CacheContext,
  [level, kind]: [Level, Kind],
  ranks: Plan['values'],
): Promise<TriedSettings> {
  const { limits } = context;
  const place = context.places.need(level);
  const obstacle = await bothPrepared(context, level, kind);
  const { values } = await limits.hierarchyFor(kind);
  const watched = obstacle ? [] : await watchedBy(limits, place, kind);
  const steps: Step[] = [];
  const others: TriedSettings['others'] = [];
  for (const rank of ranks) {
    const answer = await limits.lower(place, kind, values[rank]!);
    const look = async () => {
      const read = await limits.api.readLimit(place, kind);
      // The value is noted at once, since an unanswered earlier setting may have come into force meanwhile.
      if (limits.valueIn(read, kind) !== undefined) await limits.expectValue(read, place, kind);
      steps.push({ value: values[rank]!, answer, read });
    };
    // Read after each setting, since a limit that changes with both of them may return to its old value.
    const looks = watched.map((other, i) => async () => {
      if (others[i] && others[i].after !== others[i].before) return;
      const its = await limits.api.readLimit(other.place, other.kind);
      others[i] = { ...other, after: await limits.expectValue(its, other.place, other.kind), read: its };
    });
    await context.session.together([look, ...looks]);
  }
  return { place, steps: steps as [Step, Step], others, obstacle };
}

/** Sets limits of the other kind to values that differ from those before the run and from defaults. */
async function setOtherLimit({ limits }: CacheContext, kind: Kind): Promise<undefined> {
  try {
    const { values, ...places } = await limits.hierarchyFor(kind);
    const wanted = LEVELS.flatMap((level, i): [Place, number][] =>
      places[level] ? [[places[level], values[2 * i + 1]!]] : [],
    );
    await limits.arrange(kind, wanted);
  } catch (error) {
    // A limit that cannot be set violates another requirement.
    if (!(error instanceof Blocked)) throw error;
  }
}
