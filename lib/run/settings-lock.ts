/**
 * Lets only one run at a time change the settings of a service, or move a clock. A second run would take the
 * values that the first has set for the original ones, and would put those back; and its tokens would expire
 * whenever the first moves the clock.
 */
import { lock } from '../check/journal/lock.ts';
import type { ProcessMark } from '../check/journal/process.ts';
import type { StateFolder } from '../check/journal/state-folder.ts';
import { allServices } from '../check/services.ts';
import type { HookConfig, RunOptions } from '../config/types.ts';
import type { Cleanups, Identity } from './cleanups.ts';

/** The locks on settings that this process holds, by file. */
export class SettingsLocks {
  readonly #state: StateFolder;
  readonly #held = new Map<string, () => void>();

  constructor(state: StateFolder) {
    this.#state = state;
  }

  /**
   * Locks the settings of every service that a run may change.
   * @throws TakenError when another run holds one of these locks; then none is taken
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
   * Locks the settings of one service, unless this process holds the lock.
   * @param isOver returns whether the user says that the process which holds the lock is over
   * @returns a function that releases the lock if this call took it
   * @throws TakenError when another run holds the lock
   */
  take(service: string, baseUrl: string, isOver?: (mark: ProcessMark) => boolean): () => void {
    const taken = `another run is changing the settings of ${service} at ${baseUrl}; wait until it is over, or leave them out with --effects read,write`;
    return this.#lock(this.#state.settingsLock(service, baseUrl), taken, isOver);
  }

  /**
   * Locks the clock that a hook moves.
   * @throws TakenError when another run holds the lock; then no other lock is kept either
   */
  takeClock({ url, command = [] }: HookConfig): void {
    const taken = `another run may move the clock of this target by \`hooks.clock\`; wait until it is over, or leave the hook out`;
    try {
      this.#lock(this.#state.settingsLock('hooks.clock', url ?? JSON.stringify(command)), taken);
    } catch (error) {
      this.release();
      throw error;
    }
  }

  #lock(file: string, taken: string, isOver?: (mark: ProcessMark) => boolean): () => void {
    if (this.#held.has(file)) return () => {};
    const unlock = lock(file, taken, isOver);
    this.#held.set(file, unlock);
    return () => {
      unlock();
      this.#held.delete(file);
    };
  }

  /** Releases all locks. */
  release(): void {
    for (const unlock of this.#held.values()) unlock();
    this.#held.clear();
  }
}
