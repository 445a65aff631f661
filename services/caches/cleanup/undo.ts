/** Undoes journal entries of the cache service: limits that were changed, caches that were seeded. */

import type { JournalEntry } from '../../../lib/check/journal.ts';
import type { Session } from '../../../lib/check/session.ts';
import { CacheApi } from '../api/client.ts';
import { SEED_JOURNAL_KIND } from '../fixtures/seeds.ts';
import { JOURNAL_KIND } from '../limits/limits.ts';
import { cachesMarked, removeCaches } from './remove-caches.ts';
import { type FormerLimit, restoreLimits } from './restore-limits.ts';

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
