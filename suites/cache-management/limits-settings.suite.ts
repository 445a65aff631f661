/**
 * Section 4, endpoints 1 to 8 and 11 to 14: reading and setting limits, and which other limits a setting must
 * not change.
 */

import { requireOk } from '../../lib/check/require.ts';
import { labelOf, samePlace } from '../../services/caches/api/places.ts';
import { schemas } from '../../services/caches/judging/schemas.ts';
import { served } from '../../services/caches/judging/served.ts';
import { notForItsVersion } from '../../services/caches/judging/version.ts';
import { isRefusedBelowHigher } from '../../services/caches/limits/permitted.ts';
import {
  LIMIT_FIELD_IDS,
  limitId,
  SCOPE_IDS,
  type ScopeRule,
  SEPARATE_IDS,
} from '../../services/caches/requirement-ids/limits.ts';
import { KINDS, type Kind, LEVELS, type Level, LIMIT_SCHEMA } from '../../services/caches/vocabulary.ts';
import { type CacheContext, check } from './suite.ts';
import { type TriedSettings, triedSettings } from './tried-settings.ts';

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
