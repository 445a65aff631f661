/** A cache whose size does not fit in 32 bits: whether a repository has room for it. */
import type { Session } from '../../../lib/check/session.ts';
import { CacheApi } from '../api/client.ts';
import type { Place } from '../api/places.ts';
import { Seeds } from '../fixtures/seeds.ts';
import { PROPERTY } from '../vocabulary.ts';

/** Bytes: more than 2^32, and small enough for a limit of ten gigabytes. */
export const LARGE = 5_368_709_129;

/** The smaller of the two usual gigabytes. */
const GIGABYTE = 1_000_000_000;

/**
 * Whether the storage limit of a repository lets it hold so many bytes besides what the run made there: beyond
 * the limit caches may be evicted at any time. A limit that cannot be read is taken to do so.
 */
export async function roomFor(bytes: number, repository: Place, session: Session): Promise<boolean> {
  const answer = await new CacheApi({ session }).readLimit(repository, 'storage');
  const limit = answer.ok ? answer.at(`/${PROPERTY.storage}`) : undefined;
  const held = await new Seeds({ session }).bytesIn(repository);
  return typeof limit !== 'number' || limit * GIGABYTE > 1.2 * (bytes + held);
}
