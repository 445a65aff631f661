/** Whether a repository has room for a cache whose size does not fit in 32 bits. */
import type { Session } from '../../../lib/check/session.ts';
import { CacheApi } from '../api/client.ts';
import type { Place } from '../api/places.ts';
import { Seeds } from '../fixtures/seeds.ts';
import { PROPERTY } from '../vocabulary.ts';

/** The size of a large cache in bytes: more than 2^32, and small enough for a limit of ten gigabytes. */
export const LARGE = 5_368_709_129;

/** The smaller of the two usual meanings of a gigabyte, in bytes. */
const GIGABYTE = 1_000_000_000;

/**
 * Whether the storage limit of a repository leaves room for so many bytes, besides the caches that the run
 * made there. Beyond the limit, caches may be evicted at any time. If the limit cannot be read, room is
 * assumed.
 */
export async function roomFor(bytes: number, repository: Place, session: Session): Promise<boolean> {
  const answer = await new CacheApi({ session }).readLimit(repository, 'storage');
  const limit = answer.ok ? answer.at(`/${PROPERTY.storage}`) : undefined;
  const held = await new Seeds({ session }).bytesIn(repository);
  return typeof limit !== 'number' || limit * GIGABYTE > 1.2 * (bytes + held);
}
