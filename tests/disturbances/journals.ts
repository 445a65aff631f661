/** A journal for a run in this process, and `conform clean` with that journal once the run is over. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JournalPlace } from '../../lib/check/journal/journal.ts';
import { StateFolder } from '../../lib/check/journal/state-folder.ts';
import type { ResolvedTarget, RunOptions } from '../../lib/config/types.ts';
import { identityOf, loadCleanups, placeFor } from '../../lib/run/cleanups.ts';
import { SettingsLocks } from '../../lib/run/settings-lock.ts';
import { type Undone, undoEarlier } from '../../lib/run/undo.ts';

/** See the module comment. */
export interface Journals {
  /** Where the run keeps its journal. */
  place: JournalPlace;
  /** Undoes what the run left, as `conform clean` does, and removes the folder. */
  clean(target: ResolvedTarget, options: RunOptions): Promise<Undone>;
}

/** Returns a journal, in a folder of its own, for one run against a target. */
export async function journalsFor(target: ResolvedTarget): Promise<Journals> {
  const folder = mkdtempSync(join(tmpdir(), 'conform-journals-'));
  const [cleanups, state] = [await loadCleanups(), new StateFolder(folder)];
  const { file, header } = placeFor(randomUUID(), target, identityOf(target, cleanups, state), state);
  // The owner looks like a process that has ended, since `clean` does not undo a run that is still going on.
  const owner = { ...header.owner, started: 'before' };
  return {
    place: { file, header: { ...header, owner } },
    clean: async (now, options) => {
      try {
        return await undoEarlier({ target: now, options, cleanups, state, locks: new SettingsLocks(state) });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}
