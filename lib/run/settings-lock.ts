/**
 * The settings of a service are changed by one run at a time: a second one would take what the first has set for what
 * they were before, and leave them so.
 */
import { lock } from '../check/journal/lock.ts';
import type { ProcessMark } from '../check/journal/process.ts';
import type { StateFolder } from '../check/journal/state-folder.ts';
import { allServices } from '../check/services.ts';
import type { RunOptions } from '../config/types.ts';
import type { Cleanups, Identity } from './cleanups.ts';

/** Locks that this process has, by their files. */
export class SettingsLocks {
  readonly #state: StateFolder;
  readonly #held = new Map<string, () => void>();

  constructor(state: StateFolder) {
    this.#state = state;
  }

  /**
   * Takes the settings of every service that a run may change.
   * @throws TakenError when another run has one of them; then none is taken
   */
  takeAll(identity: Identity, cleanups: Cleanups, { effects, suites }: RunOptions): void {
    if (!effects.includes('settings')) return;
    try {
      for (const { name, suites: own } of allServices()) {
        const at = identity[name];
        const changes = Object.values(cleanups.get(name)?.undoers ?? {}).some(
          ({ effect }) => effect === 'settings',
        );
        if (at && changes && own.some((suite) => suites.includes(suite))) this.take(name, at.baseUrl);
      }
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /**
   * Takes the settings of one service, unless this process has them.
   * @param isOver whether the user says that a process is over
   * @returns gives them free again, where it was this call that took them
   * @throws TakenError when another run has them
   */
  take(service: string, baseUrl: string, isOver?: (mark: ProcessMark) => boolean): () => void {
    const file = this.#state.settingsLock(service, baseUrl);
    if (this.#held.has(file)) return () => {};
    const unlock = lock(
      file,
      `another run is changing the settings of ${service} at ${baseUrl}; wait until it is over, or leave them out with --effects read,write`,
      isOver,
    );
    this.#held.set(file, unlock);
    return () => {
      unlock();
      this.#held.delete(file);
    };
  }

  /** Gives all free. */
  release(): void {
    for (const unlock of this.#held.values()) unlock();
    this.#held.clear();
  }
}
