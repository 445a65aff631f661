/**
 * Deletions that were not answered. The caches that such a deletion names may be gone, may still exist, or
 * may be deleted later, so that checks must not rely on them.
 */
import { perSession } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { CacheId } from './cache.ts';
import { type Place, samePlace } from './places.ts';

/** The caches that a deletion names, in the repository of its path. */
export interface Named {
  repository: Place;
  /** By id, or by key and, if it is given, by reference. */
  id?: CacheId;
  key?: string | undefined;
  ref?: string | undefined;
}

/** Deletions that got no answer. */
const lostIn = perSession((): Named[] => []);

/** Sends a deletion. If it is not answered, the caches that it names are from then on `inDoubt`. */
export async function deleting<T>(session: Session, named: Named, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    lostIn(session).push(named);
    throw error;
  }
}

/** Returns the given caches that no unanswered deletion named: these exist until somebody deletes them. */
export async function withoutDoubt<C extends { id: CacheId; key: string; ref: string; repository: Place }>(
  session: Session,
  caches: readonly C[],
): Promise<C[]> {
  const doubtful = new Set(await inDoubt(session, caches));
  return caches.filter((cache) => !doubtful.has(cache));
}

/** Returns the given caches that an unanswered deletion named: they may be gone, or disappear later. */
export async function inDoubt<C extends { id: CacheId; key: string; ref: string; repository: Place }>(
  session: Session,
  caches: readonly C[],
): Promise<C[]> {
  const lost = lostIn(session);
  return caches.filter((cache) => lost.some((deletion) => names(deletion, cache)));
}

function names(
  { repository, id, key, ref }: Named,
  cache: { id: CacheId; key: string; ref: string; repository: Place },
): boolean {
  if (!samePlace(repository, cache.repository)) return false;
  if (id !== undefined) return String(id) === String(cache.id);
  return key === cache.key && (ref === undefined || ref === cache.ref);
}
