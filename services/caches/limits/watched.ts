/** Limits that a setting must not change. */
import { Blocked } from '../../../lib/model/verdict.ts';
import { type Place, samePlace } from '../api/places.ts';
import { type Kind, LEVELS, otherKind } from '../vocabulary.ts';
import type { Limits } from './limits.ts';

/** The places whose limits are watched. */
const WATCHED_PLACES = [
  'enterprise',
  'otherEnterprise',
  'organization',
  'otherOrganization',
  'repository',
  'otherRepository',
  'namesakeRepository',
] as const;

/** A limit that a setting must not change, and its value before. */
export interface Watched {
  place: Place;
  kind: Kind;
  before: number;
}

/**
 * Returns the limits that a setting must not change: the other limit of the same place and of the levels above
 * and below it, and the limits of the same kind of all other places. Limits that cannot be read are left out.
 */
export async function watchedBy(limits: Limits, place: Place, kind: Kind): Promise<Watched[]> {
  const elsewhere = WATCHED_PLACES.flatMap((key) => limits.places.find(key) ?? [])
    .filter((other) => !samePlace(other, place))
    .map((other) => ({ place: other, kind }));
  const levels = LEVELS.flatMap((level) =>
    level === place.level ? place : (limits.places.find(level) ?? []),
  );
  const ofOtherKind = levels.map((other) => ({ place: other, kind: otherKind(kind) }));
  const looks = [...ofOtherKind, ...elsewhere].map((other) => async (): Promise<Watched[]> => {
    try {
      return [{ ...other, before: await limits.known(other.place, other.kind) }];
    } catch (error) {
      // The checks of a limit judge whether it can be read.
      if (error instanceof Blocked) return [];
      throw error;
    }
  });
  return (await limits.session.together(looks)).flat();
}

/**
 * Raises the limit of the other organization if it is lower than `value`, so that it does not cap that of a watched
 * repository, which could not change then. Where the target refuses this, a change may remain unseen.
 */
export async function raiseOtherOrganization(limits: Limits, kind: Kind, value: number): Promise<void> {
  const other = limits.places.find('otherOrganization');
  if (!other) return;
  try {
    if ((await limits.known(other, kind)) < value) await limits.set(other, kind, value);
  } catch (error) {
    if (!(error instanceof Blocked)) throw error;
  }
}
