/** Removing caches that the suite made. Their keys tell: nothing is removed by an id alone. */
import { carries } from '../../../lib/check/journal/format.ts';
import type { Session } from '../../../lib/check/session.ts';
import { messageOf } from '../../../lib/model/message-of.ts';
import { Blocked, Undecided } from '../../../lib/model/verdict.ts';
import type { CacheId } from '../api/cache.ts';
import { CACHES, type CacheApi } from '../api/client.ts';
import { isId } from '../api/exact-ids.ts';
import { Lists } from '../api/lists.ts';
import { type Place, repositoryNamed } from '../api/places.ts';
import { unseedHook } from '../api/seed-hooks.ts';

/** Milliseconds before each further look, where caches are still there or may yet be made. */
const LATER_MS = [200, 600, 1_800];

/**
 * Removes every cache whose key carries the mark of a run from repositories given by their full names, and looks
 * whether they are gone: an answer alone says nothing. Throws when one cannot be removed.
 *
 * @param unsure whether caches were ordered and the hook did not answer: they may be made later
 */
export async function removeMarked(
  session: Session,
  api: CacheApi,
  mark: string,
  repositories: readonly string[],
  unsure: boolean,
): Promise<void> {
  for (let look = 0; ; look += 1) {
    const found = new Map<CacheId, Place>();
    for (const name of repositories)
      for (const [id, place] of await markedIn(session, mark, name)) found.set(id, place);
    if (found.size === 0 && (!unsure || look > LATER_MS.length)) return;
    if (look > LATER_MS.length)
      throw new Error(
        `removing caches was answered with success, and ${found.size} of them are still there: ${[...found.keys()].slice(0, 5).join(', ')}`,
      );
    await removeCaches(session, api, found);
    // Looked at once more right away where something was removed for the first time.
    if (look > 0 || found.size === 0) await session.time.rest(LATER_MS[look] ?? 0);
  }
}

/** Caches of a repository whose keys carry the mark of a run, by id. */
async function markedIn(session: Session, mark: string, name: string): Promise<Map<CacheId, Place>> {
  const repository = repositoryNamed(name);
  const found = new Map<CacheId, Place>();
  for (const { id, key } of await entriesOf(session, repository)) {
    if (typeof key === 'string' && carries(key, mark) && isId(id)) found.set(id, repository);
  }
  return found;
}

/** Once more where the list cannot be read: what is left would not be found. */
async function entriesOf(session: Session, repository: Place) {
  const lists = new Lists({ session });
  try {
    return await lists.everything(repository);
  } catch (error) {
    if (!(error instanceof Undecided || error instanceof Blocked)) throw error;
    return lists.everything(repository);
  }
}

/**
 * Removes caches by id: with the unseed hook, where there is one, else through the API.
 * Throws when one is left; one that is gone already is no fault.
 */
export async function removeCaches(
  session: Session,
  api: CacheApi,
  caches: ReadonlyMap<CacheId, Place>,
): Promise<void> {
  if (caches.size === 0) return;
  const unseed = unseedHook(session.hooks);
  if (unseed) return session.gate(CACHES).change(() => twice(() => unseed([...caches.keys()])));
  const problems: string[] = [];
  for (const [id, repository] of caches) {
    try {
      const answer = await twice(() => api.deleteById(repository, id, { purpose: 'clean up' }));
      if (!answer.ok && answer.status !== 404)
        problems.push(`cache ${id} could not be removed: ${answer.status}`);
    } catch (error) {
      problems.push(`cache ${id} could not be removed: ${messageOf(error)}`);
    }
  }
  const more = problems.length > 1 ? `, and ${problems.length - 1} more` : '';
  if (problems.length > 0) throw new Error(`${problems[0]}${more}`);
}

/** Once more where there is no answer: what is gone already cannot be removed again. */
async function twice<T>(remove: () => Promise<T>): Promise<T> {
  try {
    return await remove();
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    return remove();
  }
}
