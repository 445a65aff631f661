/** Sections 4 and 7: limits of places that do not exist, and the statuses of refusals. */
import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { settingOf } from '../../services/caches/api/client.ts';
import { labelOf, type Place } from '../../services/caches/api/places.ts';
import type { Family } from '../../services/caches/fixtures/access.ts';
import { limitRow } from '../../services/caches/judging/access-table.ts';
import { limitId, UNKNOWN_IDS } from '../../services/caches/requirement-ids/limits.ts';
import { KINDS, type Kind, LEVELS, type Level, REFUSALS } from '../../services/caches/vocabulary.ts';
import { type CacheContext, check, onlyLimitsOf } from './suite.ts';

const settingsCheck = check.with({ effects: 'settings' });

/** Returns unknown places: an unknown name and, for a repository, a known name under an unknown owner. */
function unknownPlaces({ places, seeds }: CacheContext, level: Level): Place[] {
  const unknown = places.unknown(level);
  const repository = level === 'repository' ? places.need('repository') : undefined;
  return repository
    ? [unknown, { level, names: [`no-such-${seeds.mark}`, repository.names[1]!] }]
    : [unknown];
}

const readUnknown = perRun(
  'caches: limit of an unknown place read',
  async (context: CacheContext, level: Level, kind: Kind): Promise<{ place: Place; answer: Answer }[]> => {
    // The twin: an existing place can be read.
    await context.limits.inForce(context.places.need(level), kind);
    const done = [];
    for (const place of unknownPlaces(context, level))
      done.push({ place, answer: await context.api.readLimit(place, kind) });
    return done;
  },
);

const setUnknown = perRun(
  'caches: limit of an unknown place set',
  async (
    context: CacheContext,
    level: Level,
    kind: Kind,
  ): Promise<{ place: Place; answer: Answer; read: Answer }[]> => {
    const { limits, api } = context;
    const { place: known, to } = await limits.spread(level, kind);
    const twin = await limits.set(known, kind, to);
    requireOk(twin, limitId(level, kind, 'SET-STATUS'));
    const done = [];
    for (const place of unknownPlaces(context, level)) {
      const answer = await api.putLimit(place, kind, settingOf(kind, to));
      done.push({ place, answer, read: await api.readLimit(place, kind) });
    }
    return done;
  },
);

for (const level of LEVELS) {
  const needs = [`caches.${level}`];
  for (const kind of KINDS) {
    check(UNKNOWN_IDS[level].read, { needs, case: kind }, async (context) => {
      for (const { answer } of await readUnknown(context, level, kind))
        context.expect.refused(answer, 'there is no such name');
    });

    settingsCheck(UNKNOWN_IDS[level].set, { needs, case: kind, ...onlyLimitsOf(kind) }, async (context) => {
      const before = await readUnknown(context, level, kind);
      for (const [i, { place, answer, read }] of (await setUnknown(context, level, kind)).entries()) {
        context.expect.refused(answer, 'there is no such name');
        if (before[i]!.answer.ok) continue;
        context.expect.that(
          !read.ok,
          `the ${labelOf(place)} did not exist before it was set (${answer.status}), and can be read now`,
          { answer: read, at: 'status' },
        );
      }
    });

    check(limitId(level, kind, 'GET-REFUSAL'), { needs }, async (context) => {
      const unknown = await readUnknown(context, level, kind);
      await listed(
        context,
        'read',
        level,
        kind,
        unknown.map(({ answer }) => answer),
      );
    });

    settingsCheck(limitId(level, kind, 'SET-REFUSAL'), { needs }, async (context) => {
      const unknown = await setUnknown(context, level, kind);
      await listed(context, 'set', level, kind, [
        ...unknown.map(({ answer }) => answer),
        ...(await above(context, level, kind)),
      ]);
    });
  }
}

/** Fails unless every refusal has one of the statuses that section 4 lists for the endpoint. */
async function listed(
  context: CacheContext,
  does: 'read' | 'set',
  level: Level,
  kind: Kind,
  answers: Answer[],
): Promise<void> {
  const { access, expect, block } = context;
  const { row, operation } = limitRow(does, level, kind);
  const refusals = [...answers];
  for (const family of ['classic', 'fine'] as Family[]) {
    if (access.lacking(row, family).length === 0) continue;
    const { attempts } = await access.refusals(row, operation, family);
    // Tokens that may be invalid are left out, since they may be refused for that reason.
    refusals.push(...attempts.filter(({ valid }) => valid).map(({ answer }) => answer));
  }
  const refused = refusals.filter((answer) => !answer.ok);
  if (refused.length === 0) block('nothing was refused', UNKNOWN_IDS[level][does]);
  for (const answer of refused) expect.status(answer, REFUSALS[does]);
}

/** Returns the answer to a setting above the limit of the level above, if there is such a level. */
async function above(context: CacheContext, level: Level, kind: Kind): Promise<Answer[]> {
  const parent = context.places.find(level === 'repository' ? 'organization' : 'enterprise');
  return level === 'enterprise' || !parent ? [] : [await setAbove(context, level, kind)];
}

const setAbove = perRun(
  'caches: limit above that of the level above, for its status',
  async ({ limits, places }: CacheContext, level: Level, kind: Kind): Promise<Answer> => {
    const { enterprise, organization, repository, values } = await limits.hierarchyFor(kind, level);
    const all = [enterprise, organization, repository] as (Place | undefined)[];
    const wanted = all.flatMap((place, i): [Place, number][] => (place ? [[place, values[2 + i]!]] : []));
    await limits.arrange(kind, wanted);
    // The value is only wrong in being above the limits of the levels above.
    return limits.set(places.need(level), kind, values[1]);
  },
);
