/** Section 4, endpoints 1 to 8 and 11 to 14: reading and setting, and what a setting leaves alone. */

import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { fieldRequirements } from '../../lib/model/catalogue/registry.ts';
import { Blocked } from '../../lib/model/verdict.ts';
import { labelOf, type Place, samePlace } from '../../services/caches/api/places.ts';
import { schemas } from '../../services/caches/judging/schemas.ts';
import { served } from '../../services/caches/judging/served.ts';
import { notForItsVersion } from '../../services/caches/judging/version.ts';
import {
  KINDS,
  type Kind,
  kindCode,
  LEVELS,
  type Level,
  LIMIT_SCHEMA,
  levelCode,
  limitId,
  otherKind,
} from '../../services/caches/vocabulary.ts';
import { type CacheContext, check } from './suite.ts';

/** One setting of two. */
interface Step {
  value: number;
  answer: Answer;
  read: Answer;
}

/** A limit set to one value and to another, and what all the others read before and after. */
interface Trial {
  place: Place;
  steps: [Step, Step];
  others: { place: Place; kind: Kind; before: number; after: number; read: Answer }[];
}

/** Where the levels are before one of them is tried, and what it is tried with: ranks on the ladder. */
const PLAN: Record<Level, { start: [number, number, number]; values: [number, number] }> = {
  enterprise: { start: [0, 3, 5], values: [1, 2] },
  organization: { start: [0, 5, 5], values: [1, 2] },
  repository: { start: [0, 1, 5], values: [2, 3] },
};

function trial(context: CacheContext, level: Level, kind: Kind): Promise<Trial> {
  const { session, limits, places } = context;
  return session.once(`caches: trial ${level} ${kind}`, async () => {
    const place = places.need(level);
    await moveOther(context, place, otherKind(kind));
    const { v } = await limits.ladder(kind);
    const { start, values } = PLAN[level];
    const at = LEVELS.indexOf(level);
    const others = (which: (i: number) => boolean) =>
      LEVELS.flatMap((each, i): [Place, number][] => {
        const found = which(i) ? places.find(each) : undefined;
        return found ? [[found, v[start[i]!]!]] : [];
      });
    await limits.arrange(
      kind,
      others((i) => i < at),
    );
    // Only so that there is room below; whether it can be set is what is tried.
    if ((await limits.known(place, kind)) < v[start[at]!]!) await limits.set(place, kind, v[start[at]!]!);
    await limits.arrange(
      kind,
      others((i) => i > at),
    );
    const watched = watchedBy(context, place, kind);
    const before: number[] = [];
    for (const other of watched) before.push(await limits.known(other.place, other.kind));
    const steps = [];
    const seen: Trial['others'] = [];
    for (const rank of values) {
      const value = v[rank]!;
      const answer = await limits.lower(place, kind, value);
      const own = await limits.api.readLimit(place, kind);
      // Read at once as what it is: an earlier setting without an answer may have come into force meanwhile.
      if (limits.valueIn(own, kind) !== undefined) await limits.expectValue(own, place, kind);
      steps.push({ value, answer, read: own });
      // After each of the two: what moves along may come to be what it was before.
      for (const [i, other] of watched.entries()) {
        if (seen[i] && seen[i].after !== seen[i].before) continue;
        const read = await limits.api.readLimit(other.place, other.kind);
        const after = await limits.expectValue(read, other.place, other.kind);
        seen[i] = { ...other, before: before[i]!, after, read };
      }
    }
    return { place, steps: steps as [Step, Step], others: seen };
  });
}

/** Sees to it that the other limit is not what it was before the run, to which it might be set back. */
async function moveOther({ limits, places }: CacheContext, place: Place, kind: Kind): Promise<void> {
  if (!(await limits.isAsBefore(place, kind))) return;
  const { v } = await limits.ladder(kind);
  const wanted = LEVELS.flatMap((level, i): [Place, number][] => {
    const each = places.find(level);
    return each ? [[each, v[2 * i + 1]!]] : [];
  });
  try {
    await limits.arrange(kind, wanted);
  } catch (error) {
    // A limit that cannot be set is another requirement's.
    if (!(error instanceof Blocked)) throw error;
  }
}

/** The limits that a setting has to leave alone: the other one of the place, and the same one everywhere else. */
function watchedBy({ places }: CacheContext, place: Place, kind: Kind): { place: Place; kind: Kind }[] {
  const keys = [
    'enterprise',
    'organization',
    'otherOrganization',
    'repository',
    'otherRepository',
    'namesakeRepository',
  ] as const;
  const elsewhere = keys
    .flatMap((key) => places.find(key) ?? [])
    .filter((other) => !samePlace(other, place))
    .map((other) => ({ place: other, kind }));
  return [{ place, kind: otherKind(kind) }, ...elsewhere];
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

    check(
      fieldRequirements('cache-management', LIMIT_SCHEMA[kind]),
      { needs, case: level },
      async ({ api, places, expect }) => {
        const answer = await api.readLimit(places.need(level), kind);
        expect.fields(served(answer, limitId(level, kind, 'GET-STATUS')), schemas, LIMIT_SCHEMA[kind]);
      },
    );

    check(
      fieldRequirements('cache-management', LIMIT_SCHEMA[kind]),
      { ...settings, case: `${level}-after-setting` },
      async (context) => {
        for (const { read } of (await trial(context, level, kind)).steps)
          context.expect.fields(
            served(read, limitId(level, kind, 'GET-STATUS')),
            schemas,
            LIMIT_SCHEMA[kind],
          );
      },
    );

    check(limitId(level, kind, 'SET-STATUS'), settings, async (context) => {
      const { api, limits, expect } = context;
      const { place, steps } = await trial(context, level, kind);
      for (const { value, answer } of steps) {
        await notForItsVersion(api, answer, (options) => limits.set(place, kind, value, options));
        expect.status(answer, 204);
      }
    });

    check('CACHE-SET-NO-CONTENT', { ...settings, case: `${level}-${kind}` }, async (context) => {
      const answers = (await trial(context, level, kind)).steps
        .map(({ answer }) => answer)
        .filter(({ status }) => status === 204);
      if (answers.length === 0)
        context.block('no setting was answered with 204', limitId(level, kind, 'SET-STATUS'));
      for (const answer of answers)
        context.expect.equal(answer.text, '', 'the body of the 204', { answer, at: '' });
    });

    check(limitId(level, kind, 'SET-STORES'), settings, async (context) => {
      const { limits, expect } = context;
      const { steps, place } = await trial(context, level, kind);
      for (const { value, answer, read } of steps) {
        requireOk(answer, limitId(level, kind, 'SET-STATUS'));
        expect.equal(
          await limits.expectValue(read, place, kind),
          value,
          `the limit after it was set to ${value} (${answer.status})`,
          { answer: read },
        );
      }
    });

    check(`CACHE-SEPARATE-${levelCode(level)}-${kindCode(kind)}`, settings, async (context) => {
      const { place } = await stored(context, level, kind);
      await leftAlone(context, level, kind, (other) => samePlace(other.place, place));
    });
  }
}

/** The trial; throws `Blocked` unless what was set is in force, since what does nothing leaves all alone. */
async function stored(context: CacheContext, level: Level, kind: Kind): Promise<Trial> {
  const done = await trial(context, level, kind);
  for (const { value, answer, read } of done.steps) {
    requireOk(answer, limitId(level, kind, 'SET-STATUS'));
    if (context.limits.valueIn(read, kind) !== value)
      context.block('what was set is not in force', limitId(level, kind, 'SET-STORES'));
  }
  return done;
}

/** Fails when one of the other limits changed. */
async function leftAlone(
  context: CacheContext,
  level: Level,
  kind: Kind,
  which: (other: Trial['others'][number]) => boolean,
): Promise<void> {
  const { others, place } = await stored(context, level, kind);
  const looked = others.filter(which);
  if (looked.length === 0) context.skip('the configuration names no place to look at');
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
  const id = (what: string) => `CACHE-SCOPE-${kindCode(kind)}-${what}`;
  const same = (context: CacheContext, ...keys: Parameters<CacheContext['places']['find']>[0][]) => {
    const places = keys.flatMap((key) => context.places.find(key) ?? []);
    return (other: Trial['others'][number]) =>
      other.kind === kind && places.some((place) => samePlace(place, other.place));
  };
  const scope = (
    what: string,
    level: Level,
    needs: string[],
    ...keys: Parameters<CacheContext['places']['find']>[0][]
  ) =>
    check(id(what), { effects: 'settings', needs: [`caches.${level}`, ...needs] }, (context) =>
      leftAlone(context, level, kind, same(context, ...keys)),
    );

  scope('ENT-CHILDREN', 'enterprise', [ORGANIZATION], 'organization', 'repository');
  scope('ORG-PARENT', 'organization', ['caches.enterprise'], 'enterprise');
  scope('ORG-CHILDREN', 'organization', [REPOSITORY], 'repository');
  scope('ORG-SIBLING', 'organization', ['caches.otherOrganization'], 'otherOrganization');
  scope('REPO-PARENT', 'repository', [ORGANIZATION], 'organization', 'enterprise');
  scope('REPO-SIBLING', 'repository', [], 'otherRepository', 'namesakeRepository');
}
