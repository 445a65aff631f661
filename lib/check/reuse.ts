/**
 * A check that needs a thing only to do something with it, such as a token or an item of a list, may take one
 * that another check made and left intact, instead of making its own. It may do so on its first run only. If
 * the check does not pass then, that run decides nothing, and the check is run again with what it makes
 * itself.
 */
import type { CheckResult } from '../model/results.ts';
import { perSession } from './per-run.ts';
import type { Session } from './session.ts';

/** What one run of a check takes from others, and leaves to them. */
export class Reuse {
  /** Whether it has taken anything. */
  hasTaken = false;
  readonly #session: Session;
  readonly #isAllowed: boolean;
  readonly #left: (() => void)[] = [];

  constructor(session: Session, isAllowed: boolean) {
    this.#session = session;
    this.#isAllowed = isAllowed;
  }

  /**
   * Returns what others left of one kind; `undefined` where nothing may be taken: a shared fixture must not
   * depend on what another check made.
   */
  of<T>(shelf: Shelf<T>): Left<T> | undefined {
    if (!this.#isAllowed || this.#session.http.recorder.scope.parent !== undefined) return undefined;
    return { take: () => this.#taken(shelf(this.#session).shift()) };
  }

  #taken<T>(thing: T | undefined): T | undefined {
    this.hasTaken ||= thing !== undefined;
    return thing;
  }

  /** Leaves something to others once the check passes; but nothing that was made in a shared fixture. */
  leave<T>(shelf: Shelf<T>, thing: T): void {
    if (this.#session.http.recorder.scope.parent === undefined)
      this.#left.push(() => void shelf(this.#session).push(thing));
  }

  /** Makes what the check left available to others, once the check has passed. */
  release(): void {
    for (const leave of this.#left) leave();
  }
}

/** Things of one kind that checks left. */
export interface Left<T> {
  /** Returns what was left first; nobody else gets it. */
  take(): T | undefined;
}

/** Returns the list in which a session keeps things of one kind that checks left. */
export type Shelf<T> = (session: Session) => T[];

/** Defines a list for things of one kind that checks leave; each session has its own. */
export function shelfFor<T>(): Shelf<T> {
  return perSession((): T[] => []);
}

/** Runs a check with what others left or, where it does not pass with that, without. */
export async function withReuse(
  session: Session,
  run: (reuse: Reuse) => Promise<CheckResult>,
  isAllowed: boolean,
): Promise<CheckResult> {
  const reuse = new Reuse(session, isAllowed);
  const result = await run(reuse);
  if (result.verdict === 'passed' || result.verdict === 'observed') reuse.release();
  else if (reuse.hasTaken) return withReuse(session, run, false);
  return result;
}
