/** What a run knows of limits without asking again. */
import { type Place, pathOf } from '../api/places.ts';
import { type Kind, LEVELS } from '../vocabulary.ts';

/**
 * What a limit is. It is firm when the place was set to just this, and nothing above it has been lower since:
 * any other one may follow the levels above it, since it is left open what a limit is that was not set, or
 * that its parent was lowered under.
 */
interface KnownLimit {
  value: number;
  firm: boolean;
  /** True until it is read again, after something was sent that could have changed it. */
  unread: boolean;
}

/** How often a limit has to have been read as what it was set to before that is taken for granted. */
const ENOUGH = 2;

/** Remembers what limits were read as and what was sent since. */
export class LimitMemory {
  readonly #known = new Map<string, KnownLimit>();
  /** How often each was read as what it had just been set to, in the usual way. */
  readonly #stored = new Map<string, number>();
  /** Whether a limit was ever read as something else than what was accepted. */
  #deceived = false;
  /** Values of settings that were not answered: such a one may still be under way, and be carried out later. */
  readonly #unanswered = new Map<string, Set<number>>();

  /** What a limit is; undefined where that is not certain. */
  value(place: Place, kind: Kind): number | undefined {
    const known = this.#known.get(keyOf(place, kind));
    return known?.unread === false ? known.value : undefined;
  }

  /** Whether a limit was set to just this value and still is it. */
  isSet(place: Place, kind: Kind, value: number): boolean {
    const known = this.#known.get(keyOf(place, kind));
    return known?.unread === false && known.firm && known.value === value;
  }

  /** Whether a limit was set and not read since. */
  isUnread(place: Place, kind: Kind): boolean {
    return this.#known.get(keyOf(place, kind))?.unread === true;
  }

  /** Notes that a limit was read as what it had just been set to. */
  stored(place: Place, kind: Kind): void {
    const key = keyOf(place, kind);
    this.#stored.set(key, (this.#stored.get(key) ?? 0) + 1);
  }

  /** Whether what is accepted of a setting can be taken to be in force: it has been so often enough, and always. */
  trusts(place: Place, kind: Kind): boolean {
    const times = this.#stored.get(keyOf(place, kind)) ?? 0;
    return times >= ENOUGH && !this.#deceived && !this.hasUnanswered(place, kind);
  }

  /**
   * Notes what a limit was read as; undefined when it could not be read.
   *
   * @returns true where the limit changed to the value of an earlier setting that got no answer
   */
  read(place: Place, kind: Kind, value: number | undefined): boolean {
    const key = keyOf(place, kind);
    const known = this.#known.get(key);
    if (known?.unread && known.firm && known.value !== value) this.#deceived = true;
    if (value === undefined) this.#known.delete(key);
    else this.#known.set(key, { value, firm: known?.firm === true && known.value === value, unread: false });
    if (value === undefined || known === undefined || known.value === value) return false;
    return this.#unanswered.get(key)?.has(value) === true;
  }

  /**
   * Notes that a setting was sent.
   *
   * @param accepted whether it was answered with success
   * @param value what it said; undefined when it was malformed
   */
  sent(place: Place, kind: Kind, accepted: boolean, value: number | undefined): void {
    const key = keyOf(place, kind);
    const known = this.#known.get(key);
    if (!accepted && known) this.#known.set(key, { ...known, unread: true });
    else if (accepted && value !== undefined) this.#known.set(key, { value, firm: true, unread: true });
    else this.#known.delete(key);
    if (accepted) this.#unsettle(place, kind, value ?? Number.NEGATIVE_INFINITY);
  }

  /**
   * Notes that a setting was sent and not answered: it was carried out, or it was not, or it will be.
   *
   * @param value what it said; undefined when it was malformed
   */
  lost(place: Place, kind: Kind, value: number | undefined): void {
    const key = keyOf(place, kind);
    this.#known.delete(key);
    this.#unsettle(place, kind, value ?? Number.NEGATIVE_INFINITY);
    if (value === undefined) return;
    const unanswered = this.#unanswered.get(key) ?? new Set();
    this.#unanswered.set(key, unanswered.add(value));
  }

  /** Whether a setting of this limit was not answered, so that what the limit is has to be read each time. */
  hasUnanswered(place: Place, kind: Kind): boolean {
    return (this.#unanswered.get(keyOf(place, kind))?.size ?? 0) > 0;
  }

  /** Forgets what the limits below a place are, but those that were set and are not over a value. */
  #unsettle(place: Place, kind: Kind, value: number): void {
    for (const [key, known] of this.#known) {
      const level = LEVELS.findIndex((each) => key.startsWith(`${pathOf({ level: each, names: [] })}/`));
      const below = key.endsWith(` ${kind}`) && level > LEVELS.indexOf(place.level);
      if (below && !(known.firm && known.value <= value)) this.#known.delete(key);
    }
  }
}

/** Tells limits apart; organizations and repositories have no case. */
export const keyOf = (place: Place, kind: Kind): string => `${pathOf(place).toLowerCase()} ${kind}`;
