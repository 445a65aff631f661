/**
 * Section 4, endpoints 1 to 8 and 11 to 14: reading and setting limits, and which other limits a setting must
 * not change.
 */

import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { Blocked } from '../../lib/model/verdict.ts';
import { labelOf, type Place, samePlace } from '../../services/caches/api/places.ts';
import { schemas } from '../../services/caches/judging/schemas.ts';
import { served } from '../../services/caches/judging/served.ts';
import { notForItsVersion } from '../../services/caches/judging/version.ts';
import { isRefusedBelowHigher } from '../../services/caches/limits/permitted.ts';
import { raiseOtherOrganization, type Watched, watchedBy } from '../../services/caches/limits/watched.ts';
import {
  LIMIT_FIELD_IDS,
  limitId,
  SCOPE_IDS,
  type ScopeRule,
  SEPARATE_IDS,
} from '../../services/caches/requirement-ids/limits.ts';
import {
  KINDS,
  type Kind,
  LEVELS,
  type Level,
  LIMIT_SCHEMA,
  otherKind,
} from '../../services/caches/vocabulary.ts';
import { type CacheContext, check } from './suite.ts';

/** One of two settings. */
interface Step {
  value: number;
  answer: Answer;
  read: Answer;
}

/** A limit that is set to one value and then to another, and what all other limits read before and after. */
interface TriedSettings {
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

const triedSettings = perRun(
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

for (const level of LEVELS) {
  const needs = [`caches.${level}`];
  const settings = { effects: 'settings' as const, needs };
  for (const kind of KINDS) {
    check(limitId(level, kind, 'GET-STATUS'), { needs }, async ({ api, places, expect }) => {
      const place = places.need(level);
      const answer = await api.readLimit(place, kind);
      await notForItsVersion(api, answer, (options) => api.readLimit(place, kind, options));
      expect.status(answer, 200);
      expect.object(answer);
    });

    check(LIMIT_FIELD_IDS[kind], { needs, case: level }, async ({ api, places, expect }) => {
      const answer = await api.readLimit(places.need(level), kind);
      expect.fields(served(answer, limitId(level, kind, 'GET-STATUS')), schemas, LIMIT_SCHEMA[kind]);
    });

    check(LIMIT_FIELD_IDS[kind], { ...settings, case: `${level}-after-setting` }, async (context) => {
      for (const { read } of (await triedSettings(context, level, kind)).steps)
        context.expect.fields(served(read, limitId(level, kind, 'GET-STATUS')), schemas, LIMIT_SCHEMA[kind]);
    });

    check(limitId(level, kind, 'SET-STATUS'), settings, async (context) => {
      const { api, limits, expect } = context;
      const { place, steps, obstacle } = await triedSettings(context, level, kind);
      for (const { value, answer } of steps) {
        if (!answer.ok && obstacle) {
          const isWrong = level === 'repository' && (await isRefusedBelowHigher(limits, kind, place, value));
          if (!isWrong) throw obstacle;
        } else await notForItsVersion(api, answer, (options) => limits.set(place, kind, value, options));
        expect.status(answer, 204);
      }
    });

    check('CACHE-SET-NO-CONTENT', { ...settings, case: `${level}-${kind}` }, async (context) => {
      const answers = (await triedSettings(context, level, kind)).steps
        .map(({ answer }) => answer)
        .filter(({ status }) => status === 204);
      if (answers.length === 0)
        context.block('no setting was answered with 204', limitId(level, kind, 'SET-STATUS'));
      for (const answer of answers)
        context.expect.equal(answer.text, '', 'the body of the 204', { answer, at: '' });
    });

    check(limitId(level, kind, 'SET-STORES'), settings, async (context) => {
      const { limits, expect } = context;
      const { steps, place, obstacle } = await triedSettings(context, level, kind);
      for (const { value, answer, read } of steps) {
        if (!answer.ok && obstacle) throw obstacle;
        requireOk(answer, limitId(level, kind, 'SET-STATUS'));
        expect.equal(
          await limits.expectValue(read, place, kind),
          value,
          `the limit after it was set to ${value} (${answer.status})`,
          { answer: read },
        );
      }
    });

    check(SEPARATE_IDS[level][kind], settings, async (context) => {
      await leftAlone(context, level, kind, (other) => other.kind !== kind);
    });
  }
}

/** Returns the tried settings. Throws `Blocked` if they are not in force, and so show nothing. */
async function stored(context: CacheContext, level: Level, kind: Kind): Promise<TriedSettings> {
  const done = await triedSettings(context, level, kind);
  if (done.obstacle) throw done.obstacle;
  for (const { value, answer, read } of done.steps) {
    requireOk(answer, limitId(level, kind, 'SET-STATUS'));
    if (context.limits.valueIn(read, kind) !== value)
      context.block('what was set is not in force', limitId(level, kind, 'SET-STORES'));
  }
  return done;
}

/** Fails if one of the other limits has changed. */
async function leftAlone(
  context: CacheContext,
  level: Level,
  kind: Kind,
  which: (other: TriedSettings['others'][number]) => boolean,
): Promise<void> {
  const { others, place } = await stored(context, level, kind);
  const looked = others.filter(which);
  if (looked.length === 0)
    context.skip('the configuration names no place to look at, or none that can be read');
  for (const { place: other, kind: its, before, after, read } of looked) {
    context.expect.equal(
      after,
      before,
      `the ${its} limit of the ${labelOf(other)}, after the ${kind} limit of the ${labelOf(place)} was set,`,
      { answer: read },
    );
  }
}

const ORGANIZATION = 'caches.organization';
const REPOSITORY = 'caches.repository';

for (const kind of KINDS) {
  const same = (context: CacheContext, ...keys: Parameters<CacheContext['places']['find']>[0][]) => {
    const places = keys.flatMap((key) => context.places.find(key) ?? []);
    return (other: TriedSettings['others'][number]) =>
      other.kind === kind && places.some((place) => samePlace(place, other.place));
  };
  const scope = (
    what: ScopeRule,
    level: Level,
    needs: string[],
    ...keys: Parameters<CacheContext['places']['find']>[0][]
  ) =>
    check(SCOPE_IDS[kind][what], { effects: 'settings', needs: [`caches.${level}`, ...needs] }, (context) =>
      leftAlone(context, level, kind, same(context, ...keys)),
    );

  scope('ENT-SIBLING', 'enterprise', ['caches.otherEnterprise'], 'otherEnterprise');
  scope('ENT-CHILDREN', 'enterprise', [ORGANIZATION], 'organization', 'repository');
  scope('ORG-PARENT', 'organization', ['caches.enterprise'], 'enterprise');
  scope('ORG-CHILDREN', 'organization', [REPOSITORY], 'repository');
  scope('ORG-SIBLING', 'organization', ['caches.otherOrganization'], 'otherOrganization');
  scope('REPO-PARENT', 'repository', [ORGANIZATION], 'organization', 'enterprise');
  scope('REPO-SIBLING', 'repository', [], 'otherRepository', 'namesakeRepository');
}
