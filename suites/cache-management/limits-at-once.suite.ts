/**
 * Sections 1, 2 and 4: if the two limits of one place, or the limits of an organization and one of its repositories,
 * are set at the same time, neither setting may be lost.
 */

import { allOf } from '../../lib/check/all-of.ts';
import { requireOk } from '../../lib/check/require.ts';
import { labelOf, type Place } from '../../services/caches/api/places.ts';
import { limitId, SCOPE_IDS, SEPARATE_IDS } from '../../services/caches/requirement-ids/limits.ts';
import { KINDS, type Kind, LEVELS, PROPERTY } from '../../services/caches/vocabulary.ts';
import { type CacheContext, check, onlyLimitsOf } from './suite.ts';

/** The number of rounds: so many that success by luck is unlikely. */
const ROUNDS = 3;

/** Throws `Blocked` unless both limits, set one after the other, are in force. */
async function alone(
  { limits }: CacheContext,
  place: Place,
  wanted: Readonly<Record<Kind, number>>,
): Promise<void> {
  for (const kind of KINDS) {
    const answer = await limits.set(place, kind, wanted[kind]);
    requireOk(answer, limitId(place.level, kind, 'SET-STATUS'));
  }
  for (const kind of KINDS) await limits.expectStored(place, kind, wanted[kind]);
}

for (const level of LEVELS) {
  const options = { effects: 'settings' as const, needs: [`caches.${level}`], passingFaults: true };
  check(SEPARATE_IDS[level].atOnce, options, async (context) => {
    const { limits, expect } = context;
    const retention = await limits.spread(level, 'retention');
    const storage = await limits.spread(level, 'storage');
    const { place } = retention;
    for (let round = 0; round < ROUNDS; round += 1) {
      const wanted =
        round % 2 === 0
          ? { retention: retention.to, storage: storage.to }
          : { retention: retention.from, storage: storage.from };
      const [first, second] = await allOf([
        limits.set(place, 'retention', wanted.retention),
        limits.set(place, 'storage', wanted.storage),
      ] as const);
      const taken = KINDS.filter((kind) => (kind === 'retention' ? first : second).ok);
      const reads = await context.session.together(
        taken.map((kind) => () => limits.api.readLimit(place, kind)),
      );
      for (const [i, kind] of taken.entries()) {
        const read = reads[i]!;
        const found = await limits.expectValue(read, place, kind);
        // If two settings one after the other are not both in force either, another requirement is violated.
        if (found !== wanted[kind]) await alone(context, place, wanted);
        expect.equal(found, wanted[kind], `the ${kind} limit after settings of both at once`, {
          answer: read,
          at: `/${PROPERTY[kind]}`,
        });
      }
    }
  });
}

/** Two levels, and the id that is broken if a setting of the other one loses that of this one. */
const PAIR = [
  ['organization', 'REPO-PARENT'],
  ['repository', 'ORG-CHILDREN'],
] as const;

/** A setting that was sent, and the id that is broken if it is lost. */
interface Sent {
  place: Place;
  to: number;
  id: string;
}

/** Throws `Blocked` if a setting that is not in force is only late, or is not in force either when sent alone. */
async function requireLost({ limits, block }: CacheContext, kind: Kind, taken: Sent[], found: number[]) {
  if (taken.every(({ to }, i) => found[i] === to)) return;
  for (const [i, { place, to }] of taken.entries())
    if (found[i] !== to && (await limits.inForce(place, kind)) === to)
      block('a setting is in force only at a second look', limitId(place.level, kind, 'SET-STORES'));
  for (const { place, to } of taken) requireOk(await limits.set(place, kind, to));
  for (const { place, to } of taken) await limits.expectStored(place, kind, to);
}

for (const kind of KINDS) {
  const ids = PAIR.map(([, rule]) => SCOPE_IDS[kind][rule]);
  const needs = PAIR.map(([level]) => `caches.${level}`);
  const options = {
    effects: 'settings' as const,
    needs,
    case: 'at-once',
    passingFaults: true,
    ...onlyLimitsOf(kind),
  };
  check(ids, options, async (context) => {
    const { limits, session, expect, skip } = context;
    // A fault may lose the setting that comes first, so each of them does once.
    for (const order of [PAIR, PAIR.toReversed()]) {
      const settings: Sent[] = [];
      for (const [level, rule] of order)
        settings.push({ ...(await limits.spread(level, kind)), id: SCOPE_IDS[kind][rule] });
      const [first, second] = settings.map(({ place, to }) => limits.set(place, kind, to));
      const answers = await allOf([first!, second!] as const);
      const taken = settings.filter((_, i) => answers[i]!.ok);
      if (taken.length === 0) return skip('both settings are refused when they are sent at the same time');
      const reads = await session.together(
        taken.map(
          ({ place }) =>
            () =>
              limits.api.readLimit(place, kind),
        ),
      );
      const found: number[] = [];
      for (const [i, { place }] of taken.entries())
        found.push(await limits.expectValue(reads[i]!, place, kind));
      await requireLost(context, kind, taken, found);
      for (const [i, { place, to, id }] of taken.entries()) {
        const what = `the limit of the ${labelOf(place)}, set while that of another level was,`;
        const where = { answer: reads[i]!, at: `/${PROPERTY[kind]}` };
        expect.soft(id, (it) => it.equal(found[i], to, what, where));
      }
    }
  });
}
