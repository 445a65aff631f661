/** Sections 2 and 4: if the two limits of one place are set at the same time, neither setting may be lost. */

import { requireOk } from '../../lib/check/require.ts';
import { allOf } from '../../services/caches/api/at-once.ts';
import type { Place } from '../../services/caches/api/places.ts';
import { limitId, SEPARATE_IDS } from '../../services/caches/ids/limits.ts';
import { KINDS, type Kind, LEVELS, PROPERTY } from '../../services/caches/vocabulary.ts';
import { type CacheContext, check } from './suite.ts';

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
