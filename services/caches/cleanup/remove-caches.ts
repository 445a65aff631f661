/**
 * Removes caches that the suite made. They are recognised by the mark in their keys: ids alone may be wrong,
 * and removing caches by them could delete somebody else's.
 */
import type { Session } from '../../../lib/check/session.ts';
import { messageOf } from '../../../lib/model/message-of.ts';
import { Blocked, Undecided } from '../../../lib/model/verdict.ts';
import { CACHES, type CacheApi } from '../api/client.ts';
import { isId } from '../api/exact-ids.ts';
import { Lists, type Page } from '../api/lists.ts';
import { isMarked } from '../api/marks.ts';
import { MAX_PAGES } from '../api/pages.ts';
import { type Place, repositoryNamed } from '../api/places.ts';
import { type Held, unseedHook } from '../api/seed-hooks.ts';

/**
 * The pauses, in milliseconds, before each further look for caches that are still listed or may still be
 * made.
 */
const LATER_MS = [200, 600, 1_800];

/**
 * Removes every cache whose key contains the mark of a run, and lists the repositories again to see whether
 * the caches are gone, since the answer to a deletion may be wrong. Throws if one cannot be removed.
 *
 * @param repositories the full names of the repositories to look in
 * @param unsure whether a call of the seed hook was not answered, so that caches may still be made later
 * @param expected whether there are probably caches to remove, so that a list without any is read once more
 */
export async function removeMarked(
  session: Session,
  api: CacheApi,
  mark: string,
  repositories: readonly string[],
  unsure: boolean,
  expected = false,
): Promise<void> {
  // How often nothing may be found before that is believed.
  const looks = unsure ? LATER_MS.length + 1 : Number(expected);
  const lists = new Lists({ session });
  let problem = 'removing caches was answered with success';
  for (let look = 0; ; look += 1) {
    const found: Held[] = [];
    const missing: string[] = [];
    for (const name of repositories) {
      const marked = await markedIn(lists, mark, name);
      if (marked === undefined) missing.push(name);
      found.push(...(marked ?? []));
    }
    // If none of the repositories can be seen, the token may no longer be the right one.
    if (missing.length > 0 && missing.length === repositories.length)
      throw new Error(
        `the target knows no repository ${missing.join(', ')}, or does not show it to this token`,
      );
    if (found.length === 0 && look >= looks) return;
    if (look > LATER_MS.length)
      throw new Error(
        `${problem}, and ${found.length} of them are still there: ${found
          .slice(0, 5)
          .map(({ id }) => id)
          .join(', ')}`,
      );
    // What cannot be removed now may be removed after the next look.
    await removeCaches(session, api, found).catch((error: unknown) => {
      problem = messageOf(error);
    });
    // After the first removal, the next look follows at once.
    if (look > 0 || found.length === 0) await session.time.rest(LATER_MS[look] ?? 0);
  }
}

/**
 * Returns the caches of a repository whose keys contain the mark of a run; `undefined` if there is no
 * such repository, for instance because its name in the configuration was misspelt. Throws if there are more than can be
 * listed, and none of those that are has the mark; otherwise the rest is found once these are removed.
 */
async function markedIn(lists: Lists, mark: string, name: string): Promise<Held[] | undefined> {
  const repository = repositoryNamed(name);
  const found: Held[] = [];
  const pages = await pagesOf(lists, repository);
  if (pages === undefined) return undefined;
  for (const { id, key } of pages.flatMap(({ entries }) => entries)) {
    if (typeof key === 'string' && isMarked(key, mark) && isId(id)) found.push({ id, repository });
  }
  if (found.length === 0 && pages.length === MAX_PAGES)
    throw new Error(`${name} has more caches than are listed: whether some of them are left cannot be seen`);
  return found;
}

/** Lists a repository, a second time if the first fails: caches that are not found would be left behind. */
async function pagesOf(lists: Lists, repository: Place): Promise<Page[] | undefined> {
  try {
    return await lists.walk(repository, {}, undefined, MAX_PAGES);
  } catch (error) {
    if (!(error instanceof Undecided || error instanceof Blocked)) throw error;
    if (error instanceof Blocked && (await isMissing(lists.api, repository))) return undefined;
    return lists.walk(repository, {}, undefined, MAX_PAGES);
  }
}

/** Whether the target answers 404 for a repository, whatever is read of it. */
async function isMissing(api: CacheApi, repository: Place): Promise<boolean> {
  const answers = [await api.list(repository, { per_page: 1 }), await api.repositoryUsage(repository)];
  return answers.every(({ status }) => status === 404);
}

/**
 * Removes caches by id, with the unseed hook if the target has one, else through the API. Throws if one
 * cannot be removed; a cache that is gone already is no error.
 */
export async function removeCaches(session: Session, api: CacheApi, caches: readonly Held[]): Promise<void> {
  if (caches.length === 0) return;
  const unseed = unseedHook(session.hooks);
  if (unseed) return session.lockOf(CACHES).change(() => twice(() => unseed(caches)));
  const problems: string[] = [];
  for (const { id, repository } of caches) {
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

/** Calls `remove` a second time if the first is not answered. Removing what is already gone does no harm. */
async function twice<T>(remove: () => Promise<T>): Promise<T> {
  try {
    return await remove();
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    return remove();
  }
}
