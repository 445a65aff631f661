/** The journal of one run. Before the run, it undoes what earlier runs left; after it, what this run left. */
import type { JournalPlace } from '../check/journal/journal.ts';
import { StateFolder } from '../check/journal/state-folder.ts';
import type { ResolvedTarget, RunOptions } from '../config/types.ts';
import { identityOf, loadCleanups, placeFor } from './cleanups.ts';
import { SettingsLocks } from './settings-lock.ts';
import { type Undoing, type Undone, undoEarlier, undoOwn } from './undo.ts';

/**
 * See the module comment. The embedded reference needs no
 * journal, since it keeps nothing from one run to the next.
 */
export class RunJournal {
  readonly #undoing: Undoing;
  readonly #locks: SettingsLocks;
  #file: string | undefined;

  private constructor(undoing: Omit<Undoing, 'locks'>) {
    this.#locks = new SettingsLocks(undoing.state);
    this.#undoing = { ...undoing, locks: this.#locks };
  }

  /**
   * Opens the journal of a run, and locks the settings that the run may change, and the clock that it may
   * move, until `close`. Returns undefined for the embedded reference.
   * @throws UsageError where no journal can be kept, or where another run on this machine changes the same
   *   settings or may move the same clock
   */
  static async open(target: ResolvedTarget, options: RunOptions): Promise<RunJournal | undefined> {
    if (target.embedded) return undefined;
    const [cleanups, state] = [await loadCleanups(), new StateFolder()];
    state.requireSpace();
    const journal = new RunJournal({ target, options, cleanups, state });
    journal.#locks.takeAll(identityOf(target, cleanups, state), cleanups, options);
    if (target.hooks.clock) journal.#locks.takeClock(target.hooks.clock);
    return journal;
  }

  /** Releases the settings; to be called once everything is put back. */
  close(): void {
    this.#locks.release();
  }

  /**
   * Undoes what earlier runs left on this target, as far as the effects of this run allow.
   * @param ownRun id of the run itself, whose journal the preflight may have begun and which is left alone
   */
  settle(ownRun?: string): Promise<Undone> {
    return undoEarlier({ ...this.#undoing, ...(ownRun !== undefined && { ownRun }) });
  }

  /** Where the journal of the run with this id is. */
  placeOf = (runId: string): JournalPlace => {
    const { target, cleanups, state } = this.#undoing;
    const place = placeFor(runId, target, identityOf(target, cleanups, state), state);
    this.#file = place.file;
    return place;
  };

  /** Undoes, after the run, what it did not undo itself. */
  async finish(): Promise<Undone | undefined> {
    return this.#file === undefined ? undefined : undoOwn(this.#file, this.#undoing);
  }
}

/**
 * Describes what undoing earlier runs achieved, in lines for the terminal. Journals that are none of this
 * run's business are only counted where there are several.
 */
export function toldOf({ undone, left, withheld, stays, others }: Undone): string[] {
  return [
    ...(undone > 0 ? [`left over from an interrupted run: ${undone} undone`] : []),
    ...left.map((each) => `left over from an interrupted run: ${each}`),
    ...withheld.map((each) => `left over from an interrupted run and not undone: ${each}`),
    ...stays.map((each) => `left over from an interrupted run: ${each}`),
    ...(others.length > 1
      ? [
          `${others.length} journals of other targets or of runs under way are left alone; conform clean names them`,
        ]
      : others),
  ];
}
