/** Limits of more than 32 bits below a level that has one as well. Whether such are accepted is left open. */
import type { Place } from '../api/places.ts';
import { type Kind, LEVELS } from '../vocabulary.ts';
import type { Attempt, Limits } from './limits.ts';

/** A setting of more than 32 bits that the levels above allow. */
export interface LargeSetting extends Attempt {
  place: Place;
  /** What is left of the value in 32 bits. */
  rest: number;
}

/**
 * Raises one level after the other far over 32 bits, and tries a lower value of that kind at the level below. Ends where
 * the target does not accept such a limit; sets the usual ones again.
 */
export async function largeSettings(limits: Limits, kind: Kind): Promise<LargeSetting[]> {
  const done: LargeSetting[] = [];
  const { v, ...places } = await limits.ladder(kind);
  const rest = v[5];
  for (const [above, below] of [
    [places.enterprise, places.organization],
    [places.organization, places.repository],
  ]) {
    // What is left of it in 32 bits is what the highest level had before the run: no cache goes because of that.
    const most = 2 ** 33 + v[0];
    if (!above || !below || !(await limits.set(above, kind, most)).ok) break;
    if ((await limits.inForce(above, kind)) !== most) break;
    const attempt = await limits.attempt(below, kind, 2 ** 32 + rest);
    done.push({ ...attempt, place: below, rest });
  }
  const usual = LEVELS.flatMap((level, i): [Place, number][] =>
    places[level] ? [[places[level], v[2 * i]!]] : [],
  );
  await limits.arrange(kind, usual);
  return done;
}
