/**
 * What a check needs only to do something to it, such as a token or an item of a list, it may take from what another
 * check made and left whole, in the place of making its own: on its first run. Where the check does not hold then, that
 * run decides nothing, and it is run again with what it makes itself.
 */
import type { CheckResult } from '../model/results.ts';
import { perSession } from './per-run.ts';
import type { Session } from './session.ts';

/** Whether one run of a check may take what others left, and what it leaves itself. */
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

  /** What others left of one kind; `undefined` where nothing may be taken: what is made once for all rests on its own. */
  of<T>(shelf: Shelf<T>): Left<T> | undefined {
    if (!this.#isAllowed || this.#session.http.recorder.scope.parent !== undefined) return undefined;
    return { take: () => this.#taken(shelf(this.#session).shift()) };
  }

  #taken<T>(thing: T | undefined): T | undefined {
    this.hasTaken ||= thing !== undefined;
    return thing;
  }

  /** Leaves something to others, once the check holds; not what is made once for all. */
  leave<T>(shelf: Shelf<T>, thing: T): void {
    if (this.#session.http.recorder.scope.parent === undefined)
      this.#left.push(() => void shelf(this.#session).push(thing));
  }

  /** The check holds: what it left is there for others. */
  release(): void {
    for (const leave of this.#left) leave();
  }
}

/** What checks left of one kind. */
export interface Left<T> {
  /** What was left first; nobody else gets it. */
  take(): T | undefined;
}

/** Where things of one kind are left. */
export type Shelf<T> = (session: Session) => T[];

/** A place for what checks leave, one in each run. */
export function shelfFor<T>(): Shelf<T> {
  return perSession((): T[] => []);
}

/** Runs a check with what others left, and where it does not hold then, without. */
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
