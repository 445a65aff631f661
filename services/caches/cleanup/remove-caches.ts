/** Removing caches that the suite made: those that are known, and those that only their keys tell. */
import type { Session } from '../../../lib/check/session.ts';
import { Undecided } from '../../../lib/model/verdict.ts';
import { CACHES, type CacheApi } from '../api/client.ts';
import { Lists } from '../api/lists.ts';
import { type Place, repositoryNamed } from '../api/places.ts';
import { unseedHook } from '../api/seed-hooks.ts';

/** Caches whose keys carry the mark of a run, in repositories given by their full names, by id. */
export async function cachesMarked(
  session: Session,
  mark: string,
  repositories: readonly string[],
): Promise<Map<number, Place>> {
  const found = new Map<number, Place>();
  for (const name of repositories) {
    const repository = repositoryNamed(name);
    for (const { id, key } of await new Lists({ session }).everything(repository)) {
      if (typeof key === 'string' && key.includes(mark) && Number.isInteger(id))
        found.set(id as number, repository);
    }
  }
  return found;
}

/**
 * Removes caches by id: with the unseed hook, where there is one, else through the API.
 * Throws when one is left; one that is gone already is no fault.
 */
export async function removeCaches(
  session: Session,
  api: CacheApi,
  caches: ReadonlyMap<number, Place>,
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
      problems.push(
        `cache ${id} could not be removed: ${error instanceof Error ? error.message : String(error)}`,
      );
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
