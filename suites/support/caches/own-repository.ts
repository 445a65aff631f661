/** A repository that the suite may lose everything in. */
import { Skipped } from '../../../lib/check/verdict.ts';
import type { Lists } from './lists.ts';
import { labelOf, type Place, type Places } from './places.ts';
import type { Seeds } from './seeds.ts';

/**
 * A repository in which every single cache is one that this run made: what might empty it is done nowhere else.
 * Throws `Skipped` when there is none. Looked at anew each time, right before.
 */
export async function ownRepository({
  places,
  lists,
  seeds,
}: {
  places: Places;
  lists: Lists;
  seeds: Seeds;
}): Promise<Place> {
  const candidates = [places.find('otherRepository'), places.find('repository')].filter(
    (place) => place !== undefined,
  );
  if (candidates.length === 0) places.need('repository');
  for (const place of candidates) {
    if ((await lists.everything(place)).every((entry) => seeds.isOwn(entry))) return place;
  }
  throw new Skipped(
    `${candidates.map(labelOf).join(' and ')} hold caches that are not the suite's own, which might be lost; name an empty repository in \`caches.otherRepository\``,
  );
}
