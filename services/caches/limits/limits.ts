/** Arranges the limits of the levels, so that each can be tested (sections 1 and 8). */
import { perRunOf } from '../../../lib/check/per-run.ts';
import { Skipped } from '../../../lib/model/verdict.ts';
import type { Place } from '../api/places.ts';
import { type Kind, LEVELS, type Level } from '../vocabulary.ts';
import { LimitSettings } from './limit-settings.ts';
import { memoryIn } from './run-memory.ts';
import { settableTop, valuesBelow, widestStep } from './settable.ts';
import { onceMore } from './setting.ts';
import type { Attempt, SettableHierarchy } from './types.ts';

export type { Attempt, SettableHierarchy };

/** Reads, sets and arranges limits. Checks set the limits of existing places with this class only. */
export class Limits extends LimitSettings {
  /**
   * Brings limits to the given values, in an order in which no limit ever exceeds one of a level above.
   * Throws `Blocked` if that does not work.
   * @param wanted the places and their values, from the highest level to the lowest
   */
  arrange(kind: Kind, wanted: readonly (readonly [Place, number])[]): Promise<void> {
    const work = () => this.#arrange(kind, wanted);
    // The limits may differ from what the run assumes, since settings of other limits may change them.
    return onceMore(work, () => this.refresh(kind));
  }

  /** Brings the limits of all these places to one value; see `arrange`. */
  arrangeAll(kind: Kind, places: readonly (Place | undefined)[], value: number): Promise<void> {
    const known = places.filter((place) => place !== undefined);
    return this.arrange(
      kind,
      known.map((place) => [place, value]),
    );
  }

  async #arrange(kind: Kind, wanted: readonly (readonly [Place, number])[]): Promise<void> {
    const { memory } = memoryIn(this.session);
    for (const [place] of wanted) if (memory.hasUnanswered(place, kind)) await this.inForce(place, kind);
    if (wanted.every(([place, value]) => memory.isSet(place, kind, value))) return;
    await this.session.together(
      wanted.map(
        ([place]) =>
          () =>
            this.known(place, kind),
      ),
    );
    for (const [place, value] of wanted) {
      if (value > (await this.known(place, kind))) await this.expectSettable(place, kind, value);
    }
    for (const [place, value] of [...wanted].reverse()) {
      if (!memory.isSet(place, kind, value)) await this.expectSettable(place, kind, value);
    }
  }

  /**
   * Returns the places of the hierarchy that are configured and readable, and values to which limits may be
   * set.
   *
   * @param needed levels that the caller cannot do without: throws `Skipped` if one is not configured, and
   *   `Blocked` if its limit cannot be read
   */
  async hierarchyFor<L extends Level = never>(kind: Kind, ...needed: L[]): Promise<SettableHierarchy<L>> {
    const values = await this.valuesOf(kind);
    const readable = await this.readable(kind);
    for (const key of needed) {
      const place = this.places.need(key);
      if (!readable.some((each) => each.place.level === key)) await this.inForce(place, kind);
    }
    // A limit that could not be read at first may be readable by now.
    const isNeeded = new Set<Level>(needed);
    const places = LEVELS.map((level) => {
      const known = readable.find((each) => each.place.level === level)?.place;
      return [level, known ?? (isNeeded.has(level) ? this.places.need(level) : undefined)];
    });
    return { ...Object.fromEntries(places), values } as SettableHierarchy<L>;
  }

  /**
   * Sets the limits of the levels so far apart that each can be moved by one step without conflict. Each
   * alternates between two values. Returns the place of one level, its present value and the other one.
   */
  async spread(level: Level, kind: Kind): Promise<{ place: Place; from: number; to: number }> {
    const { values, ...places } = await this.hierarchyFor(kind, level);
    const all = LEVELS.map((each): Place | undefined => places[each]);
    const { memory } = memoryIn(this.session);
    const at = all.map((place, i) => (place && memory.isSet(place, kind, values[2 * i + 1]!) ? 1 : 0));
    const wanted = all.flatMap((place, i): [Place, number][] =>
      place ? [[place, values[2 * i + at[i]!]!]] : [],
    );
    await this.arrange(kind, wanted);
    const i = LEVELS.indexOf(level);
    return { place: all[i]!, from: values[2 * i + at[i]!]!, to: values[2 * i + 1 - at[i]!]! };
  }

  /** Reads the limits of all levels again, since a setting of one may have changed another. */
  async refresh(kind: Kind): Promise<void> {
    const readers = (await this.readable(kind)).map(({ place }) => this.inForce.bind(this, place, kind));
    await this.session.together(readers);
  }

  /**
   * Returns values that every level accepts, the highest first, as far as is known.
   * @throws Skipped where there is no room below the highest one
   */
  async valuesOf(kind: Kind): Promise<SettableHierarchy['values']> {
    const { steps, tops } = memoryIn(this.session);
    const top = tops.get(kind) ?? (await this.#settableTop(kind));
    const step = steps.get(kind) ?? widestStep(top, kind);
    if (step === 'none')
      throw new Skipped(`the permitted ${kind} limits below ${top} are too few to test with`);
    return valuesBelow(top, step);
  }

  /** Returns the highest value that every level accepts. Levels are raised to it once in a run. */
  readonly #settableTop = perRunOf(
    this,
    'caches: highest limit that can be set',
    async (kind: Kind): Promise<number> => {
      const top = await this.top(kind);
      if (!this.session.options.effects.includes('settings')) return top;
      return settableTop(this, memoryIn(this.session).memory, kind, top, await this.readable(kind));
    },
    { lasting: true },
  );
}
