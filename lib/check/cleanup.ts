/** What a service brings along so that what a run made can be undone, by that run or later. */
import type { ResolvedTarget } from '../config/types.ts';
import type { Effect } from '../model/results.ts';
import type { JournalEntry, JournalHeader, ServiceIdentity } from './journal/format.ts';
import type { Session } from './session.ts';

/** What a service's descriptor gives as `cleanup`; the kinds of its journal entries begin with its name. */
export interface ServiceCleanup {
  /**
   * Where the service of a target is and as whom it is used; `undefined` where the target has none.
   * `digest` tells tokens apart without telling them.
   */
  identify(target: ResolvedTarget, digest: (secret: string) => string): ServiceIdentity | undefined;
  /** By kind of entry, in the order in which the kinds are to be undone. */
  undoers: Record<string, Undoer>;
}

/** How entries of one kind are undone. */
export interface Undoer {
  /** What undoing does to the target; `none` where it can only be told what stays. */
  effect: Effect | 'none';
  /**
   * Undoes entries of one account, and calls `undoing.done` for each of which nothing is left.
   * Gives sentences about what is left; throws `ForeignThing` at the first thing that is not the run's.
   */
  undo(entries: readonly JournalEntry[], undoing: Undoing): Promise<string[]>;
}

/** What an undoer works with. */
export interface Undoing {
  /** Opened with the target as it is configured now. */
  session: Session;
  header: JournalHeader;
  /** The role that the account of the entries has in the configuration. */
  account: string;
  /** False right after the run itself: nobody else is likely to have changed anything since. */
  later: boolean;
  done(entry: JournalEntry): void;
  /** Tells of something that stays, and that nothing can or need be done about. */
  stays(sentence: string): void;
}
