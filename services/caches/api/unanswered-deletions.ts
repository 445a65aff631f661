/** Deletions that were not answered: what they name may be gone, may still be there, or may go later. */
import { perSession } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { CacheId } from './cache.ts';
import { type Place, samePlace } from './places.ts';

/** What a deletion names, in the repository of its path. */
export interface Named {
  repository: Place;
  /** By id, or by key and, if it is given, by reference. */
  id?: CacheId;
  key?: string | undefined;
  ref?: string | undefined;
}

/** Deletions that got no answer. */
const lostIn = perSession((): Named[] => []);

/** Sends a deletion; where it gets no answer, what it names is in doubt from then on. */
export async function deleting<T>(session: Session, named: Named, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    lostIn(session).push(named);
    throw error;
  }
}

/** Those of the given caches that no lost deletion named: they are there for as long as nobody deletes them. */
export async function withoutDoubt<C extends { id: CacheId; key: string; ref: string; repository: Place }>(
  session: Session,
  caches: readonly C[],
): Promise<C[]> {
  const doubtful = new Set(await inDoubt(session, caches));
  return caches.filter((cache) => !doubtful.has(cache));
}

/** Those of the given caches that a lost deletion named: they may be gone, or go at any time. */
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
