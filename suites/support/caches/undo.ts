/** Undoes journal entries of the cache service: limits that were changed, caches that were seeded. */
import type { Session } from '../../../lib/check/session.ts';
import type { JournalEntry } from '../../../lib/journal/journal.ts';
import { CacheApi } from './client.ts';
import { JOURNAL_KIND } from './limits.ts';
import { cachesMarked, removeCaches } from './removal.ts';
import { type FormerLimit, restoreLimits } from './restore.ts';
import { SEED_JOURNAL_KIND } from './seeds.ts';

export const undoers = {
  [JOURNAL_KIND]: async ({ detail }: JournalEntry, session: Session): Promise<void> => {
    const wrong = await restoreLimits(new CacheApi({ session }), detail.limits as FormerLimit[]);
    if (wrong.length > 0) throw new Error(wrong.join('; '));
  },

  /** Found by the mark of the run: interrupted between request and answer, nothing else is known of them. */
  [SEED_JOURNAL_KIND]: async ({ detail }: JournalEntry, session: Session): Promise<void> => {
    const { mark, repositories } = detail as { mark: string; repositories: string[] };
    const left = await cachesMarked(session, mark, repositories);
    await removeCaches(session, new CacheApi({ session }), left);
  },
};
