/**
 * Limits that do not fit in 32 bits, below a level whose limit does not either. The specification leaves open
 * whether such limits are accepted.
 */
import type { Place } from '../api/places.ts';
import { type Kind, LEVELS } from '../vocabulary.ts';
import type { Attempt, Limits } from './limits.ts';

/** A setting to a value of more than 32 bits that the levels above allow. */
export interface LargeSetting extends Attempt {
  place: Place;
  /** The lower 32 bits of the value, which a server that truncates it stores. */
  rest: number;
}

/**
 * Raises one level after the other to a value far beyond 32 bits, and tries a lower such value at the level
 * below. Ends as soon as the target does not accept such a limit, and brings the limits back to their usual
 * values.
 *
 * @returns the settings of the lower levels
 */
export async function largeSettings(limits: Limits, kind: Kind): Promise<LargeSetting[]> {
  const done: LargeSetting[] = [];
  const { values, ...places } = await limits.hierarchyFor(kind);
  for (const [above, below] of [
    [places.enterprise, places.organization],
    [places.organization, places.repository],
  ]) {
    // Its lower 32 bits are the limit of the highest level before the run, so that no cache is removed if a
    // server truncates it.
    const most = 2 ** 33 + values[0];
    if (!above || !below || !(await limits.set(above, kind, most)).ok) break;
    if ((await limits.inForce(above, kind)) !== most) break;
    // A limit that is what it would be if the value were truncated shows nothing.
    const rest = (await limits.known(below, kind)) === values[5] ? values[4] : values[5];
    const attempt = await limits.attempt(below, kind, 2 ** 32 + rest);
    done.push({ ...attempt, place: below, rest });
  }
  const usual = LEVELS.flatMap((level, i): [Place, number][] =>
    places[level] ? [[places[level], values[2 * i]!]] : [],
  );
  await limits.arrange(kind, usual);
  return done;
}
