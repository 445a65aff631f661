/** Records which check looked at what in which answer while the checks ran on the reference. */
import type { Look, OnLook } from '../http/looks.ts';
import type { Scope } from '../http/recorder.ts';

/**
 * Stands for whatever looks while it makes something once for all checks, all of which may use what it saw.
 */
const SHARED = '';

/** See the module comment. Answers are known by their place: the index of their request among all steps. */
export class Looks {
  /** By place: the check that sent the request, or `SHARED`. */
  readonly #sentBy = new Map<number, string>();
  /**
   * By place, and by who looked (a check or `SHARED`): the
   * looks, each with how many there had been before it.
   */
  readonly #looks = new Map<number, Map<string, Map<Look, number>>>();
  /** How many looks there were so far. */
  count = 0;
  /** Called when a check has looked at an answer for the first time. */
  readonly #onCheck: (check: string, place: number) => void;

  constructor(onCheck: (check: string, place: number) => void) {
    this.#onCheck = onCheck;
  }

  /**
   * Returns the function to be called with each look at the answer of a request.
   * @param scope returns the scope that is running when it is called: at first that which sends, later those
   *   that look
   */
  watch(place: number, scope: () => Scope): OnLook {
    this.#sentBy.set(place, whoIs(scope()));
    const looks = new Map<string, Map<Look, number>>();
    this.#looks.set(place, looks);
    return (look) => {
      const who = whoIs(scope());
      const known = looks.get(who) ?? new Map<Look, number>();
      if (!known.has(look)) known.set(look, this.count);
      this.count += 1;
      if (looks.has(who)) return;
      looks.set(who, known);
      if (who !== SHARED) this.#onCheck(who, place);
    };
  }

  /**
   * Returns what a check depends on in an answer. If the check sent the request itself: what it looked at,
   * and what was looked at to make shared things. In any other answer: everything that anybody had looked at
   * by the end of the check, since what others made of it may have been kept for this one.
   * @param end how many looks there had been at the end of the check
   */
  of(check: string, place: number, end: number): Set<Look> {
    const isOwn = this.#sentBy.get(place) === check;
    const found = new Set<Look>();
    for (const [who, looks] of this.#looks.get(place) ?? []) {
      for (const [look, first] of looks) {
        if (who === check || who === SHARED || (!isOwn && first < end)) found.add(look);
      }
    }
    return found;
  }
}

function whoIs({ key, parent }: Scope): string {
  return parent === undefined ? key : SHARED;
}
