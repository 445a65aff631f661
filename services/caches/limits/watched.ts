/** Limits that a setting has to leave alone. */
import { Blocked } from '../../../lib/model/verdict.ts';
import { type Place, samePlace } from '../api/places.ts';
import { type Kind, otherKind } from '../vocabulary.ts';
import type { Limits } from './limits.ts';

/** Where limits are watched. */
const WATCHED_PLACES = [
  'enterprise',
  'otherEnterprise',
  'organization',
  'otherOrganization',
  'repository',
  'otherRepository',
  'namesakeRepository',
] as const;

/** A limit that a setting has to leave alone, and what it was. */
export interface Watched {
  place: Place;
  kind: Kind;
  before: number;
}

/** The limits that a setting has to leave alone: the other one of the place, and the same one everywhere else. */
export async function watchedBy(limits: Limits, place: Place, kind: Kind): Promise<Watched[]> {
  const elsewhere = WATCHED_PLACES.flatMap((key) => limits.places.find(key) ?? [])
    .filter((other) => !samePlace(other, place))
    .map((other) => ({ place: other, kind }));
  const looks = [{ place, kind: otherKind(kind) }, ...elsewhere].map(
    (other) => async (): Promise<Watched[]> => {
      try {
        return [{ ...other, before: await limits.known(other.place, other.kind) }];
      } catch (error) {
        // That a limit cannot be read is judged by the checks of that limit.
        if (error instanceof Blocked) return [];
        throw error;
      }
    },
  );
  return (await limits.session.together(looks)).flat();
}
