/** What a service provides so that everything a run made can be undone, by that run or later. */
import type { ResolvedTarget } from '../config/types.ts';
import type { Effect } from '../model/results.ts';
import type { JournalEntry, JournalHeader, ServiceIdentity } from './journal/format.ts';
import type { Session } from './session.ts';

/** What a service's `cleanup` returns. The kinds of its journal entries begin with its name. */
export interface ServiceCleanup {
  /**
   * Returns where the service of a target is and which accounts are used there; `undefined` if the target
   * lacks it. `digest` makes tokens comparable without revealing them.
   */
  identify(target: ResolvedTarget, digest: (secret: string) => string): ServiceIdentity | undefined;
  /** The undoers by kind of entry, in the order in which the kinds are to be undone. */
  undoers: Record<string, Undoer>;
}

/** How entries of one kind are undone. */
export interface Undoer {
  /** What undoing does to the target; `none` where the undoer can only report what stays. */
  effect: Effect | 'none';
  /**
   * Undoes entries of one account, and calls `undoing.done` for each of which nothing is left.
   * @returns one sentence for each thing that is left
   * @throws ForeignThing at the first thing that the run did not make
   */
  undo(entries: readonly JournalEntry[], undoing: Undoing): Promise<string[]>;
}

/** What an undoer is given to work with. */
export interface Undoing {
  /** A session with the target as it is configured now. */
  session: Session;
  header: JournalHeader;
  /** The role in the configuration of the account that made the entries. */
  account: string;
  /** False right after the run itself, when nobody else is likely to have changed anything since. */
  later: boolean;
  done(entry: JournalEntry): void;
  /** Reports something that stays, because it cannot or need not be removed. */
  stays(sentence: string): void;
}
