/** Who looked at what in which answer while the checks ran on the reference. */
import type { Look, OnLook } from '../http/looks.ts';
import type { Scope } from '../http/recorder.ts';

/** Who looks where it is something made once for all: what it makes of an answer, all may use. */
const SHARED = '';

/** See the module comment. Answers are known by the place of their request among all. */
export class Looks {
  /** By place: the check that sent the request, or `SHARED`. */
  readonly #sentBy = new Map<number, string>();
  /** By place and by who looked; with each look, how many there were before it. */
  readonly #looks = new Map<number, Map<string, Map<Look, number>>>();
  /** Looks so far. */
  count = 0;
  /** Told of checks that looked at an answer. */
  readonly #onCheck: (check: string, place: number) => void;

  constructor(onCheck: (check: string, place: number) => void) {
    this.#onCheck = onCheck;
  }

  /**
   * What is to be told of looks at the answer of a request.
   * @param scope gives the one that runs when it is asked: the one that sends, and later those that look
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
   * What a check rests on in an answer. In one that it got for itself: what it looked at, and what was looked at in
   * making what is shared. In any other: all that anybody looked at, up to the end of the check; what the others made of
   * it may be kept for this one.
   * @param end number of looks at the end of the check
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
