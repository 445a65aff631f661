/** Sections 2 and 4: the two limits of one scope are set at the same time, and neither setting is lost. */
import { LEVELS, levelCode, PROPERTY } from '../support/caches/words.ts';
import { check } from './suite.ts';

/** A race may go well by luck; so many rounds make that unlikely. */
const ROUNDS = 4;

/** Waits for both, also where one fails: the other must not be under way when the next check begins. */
async function bothOf<T>(one: Promise<T>, other: Promise<T>): Promise<[T, T]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}

for (const level of LEVELS) {
  const options = { effects: 'settings' as const, needs: [`caches.${level}`] };
  check(`CACHE-SEPARATE-${levelCode(level)}-AT-ONCE`, options, async ({ limits, expect, block }) => {
    const retention = await limits.spread(level, 'retention');
    const storage = await limits.spread(level, 'storage');
    const { place } = retention;
    // One after the other each of them has to last; that is another requirement.
    for (const [kind, { to }] of [
      ['retention', retention],
      ['storage', storage],
    ] as const) {
      const { answer, after } = await limits.attempt(place, kind, to);
      if (!answer.ok || after !== to)
        block(
          `setting the ${kind} limit alone does not last: ${answer.status}`,
          `CACHE-${levelCode(level)}-${kind.toUpperCase()}-SET-STORES`,
        );
      await limits.set(place, kind, kind === 'retention' ? retention.from : storage.from);
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      const wanted =
        round % 2 === 0
          ? { retention: retention.to, storage: storage.to }
          : { retention: retention.from, storage: storage.from };
      const [first, second] = await bothOf(
        limits.set(place, 'retention', wanted.retention),
        limits.set(place, 'storage', wanted.storage),
      );
      for (const [kind, answer] of [
        ['retention', first],
        ['storage', second],
      ] as const) {
        if (!answer.ok) continue;
        const read = await limits.api.readLimit(place, kind);
        expect.equal(
          await limits.expectValue(read, place, kind),
          wanted[kind],
          `the ${kind} limit after settings of both at once`,
          {
            answer: read,
            at: `/${PROPERTY[kind]}`,
          },
        );
      }
    }
  });
}
