/** What a run knows about limits without reading them again. */
import { type Place, pathOf } from '../api/places.ts';
import { type Kind, LEVELS } from '../vocabulary.ts';

/**
 * The value of a limit. It is firm if the limit was set to exactly this value, and no level above has been
 * lower since. Any other limit may follow the levels above it: the specification leaves open what value a
 * limit has if it was never set, or if its parent was lowered below it.
 */
interface KnownLimit {
  value: number;
  firm: boolean;
  /** True after a setting that could have changed the limit, until it is read again. */
  unread: boolean;
}

/**
 * How many times a limit must read as the value that it was set to, before accepted settings are trusted
 * without reading the limit.
 */
const ENOUGH = 2;

/** Remembers the values that limits read as, and the settings that were sent since. */
export class LimitMemory {
  readonly #known = new Map<string, KnownLimit>();
  /** How many times each limit read as what it had just been set to. */
  readonly #stored = new Map<string, number>();
  /** Whether any limit ever read as another value than the one whose setting had been accepted. */
  #contradicted = false;
  /** The values of settings that were not answered, and which the target may still carry out later. */
  readonly #unanswered = new Map<string, Set<number>>();

  /** Returns the value of a limit, or undefined if it is not certain. */
  value(place: Place, kind: Kind): number | undefined {
    const known = this.#known.get(keyOf(place, kind));
    return known?.unread === false ? known.value : undefined;
  }

  /** Whether a limit was set to exactly this value and still has it. */
  isSet(place: Place, kind: Kind, value: number): boolean {
    const known = this.#known.get(keyOf(place, kind));
    return known?.unread === false && known.firm && known.value === value;
  }

  /** Whether a setting was sent that could have changed the limit, and the limit was not read since. */
  isUnread(place: Place, kind: Kind): boolean {
    return this.#known.get(keyOf(place, kind))?.unread === true;
  }

  /** Notes that a limit read as what it had just been set to. */
  stored(place: Place, kind: Kind): void {
    const key = keyOf(place, kind);
    this.#stored.set(key, (this.#stored.get(key) ?? 0) + 1);
  }

  /**
   * Whether an accepted setting can be assumed to be in force without reading the limit, since it was each
   * time so far, and often enough.
   */
  trusts(place: Place, kind: Kind): boolean {
    const times = this.#stored.get(keyOf(place, kind)) ?? 0;
    return times >= ENOUGH && !this.#contradicted && !this.hasUnanswered(place, kind);
  }

  /**
   * Notes the value that a limit reads as; undefined if it could not be read.
   *
   * @returns whether the limit changed to the value of an earlier setting that was not answered
   */
  read(place: Place, kind: Kind, value: number | undefined): boolean {
    const key = keyOf(place, kind);
    const known = this.#known.get(key);
    if (known?.unread && known.firm && known.value !== value) this.#contradicted = true;
    if (value === undefined) this.#known.delete(key);
    else this.#known.set(key, { value, firm: known?.firm === true && known.value === value, unread: false });
    if (value === undefined || known === undefined || known.value === value) return false;
    return this.#unanswered.get(key)?.has(value) === true;
  }

  /**
   * Notes that a setting was sent.
   *
   * @param accepted whether it was answered with success
   * @param value the value that was sent; undefined if the setting was malformed
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
   * Notes that a setting was not answered: it may have been carried out, or may be later, or never.
   *
   * @param value the value that was sent; undefined if the setting was malformed
   */
  lost(place: Place, kind: Kind, value: number | undefined): void {
    const key = keyOf(place, kind);
    this.#known.delete(key);
    this.#unsettle(place, kind, value ?? Number.NEGATIVE_INFINITY);
    if (value === undefined) return;
    const unanswered = this.#unanswered.get(key) ?? new Set();
    this.#unanswered.set(key, unanswered.add(value));
  }

  /**
   * Whether a setting of this limit was not answered, so that the limit has to be read each time it is
   * needed.
   */
  hasUnanswered(place: Place, kind: Kind): boolean {
    return (this.#unanswered.get(keyOf(place, kind))?.size ?? 0) > 0;
  }

  /** Forgets the limits of levels below a place, except firm ones that do not exceed `value`. */
  #unsettle(place: Place, kind: Kind, value: number): void {
    for (const [key, known] of this.#known) {
      const level = LEVELS.findIndex((each) => key.startsWith(`${pathOf({ level: each, names: [] })}/`));
      const below = key.endsWith(` ${kind}`) && level > LEVELS.indexOf(place.level);
      if (below && !(known.firm && known.value <= value)) this.#known.delete(key);
    }
  }
}

/**
 * Returns the key under which a limit is remembered. Names of organizations and repositories are
 * case-insensitive.
 */
export const keyOf = (place: Place, kind: Kind): string => `${pathOf(place).toLowerCase()} ${kind}`;
