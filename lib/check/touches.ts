/**
 * What a check uses that others use too, said once where it is defined, so that a run knows which checks may run side
 * by side. What a check makes for itself is not mentioned.
 */

/**
 * How something shared is used. `change`: it is changed in a way that others who change it can stand. `still`: it is
 * looked at, and must not change meanwhile. `alone`: nobody else may use it meanwhile. `pace`, `measure` and `move`
 * are uses of the clock, see there.
 */
export type Use = 'change' | 'still' | 'pace' | 'measure' | 'move' | 'alone';

/** Uses by the name of what is shared. */
export type Touches = Readonly<Partial<Record<string, Use>>>;

/**
 * The clock of the target, where it can be moved.
 *
 * | use       | of the check                                                                                             |
 * | --------- | -------------------------------------------------------------------------------------------------------- |
 * | none      | it does not matter to it how late it is, or becomes                                                      |
 * | `still`   | it moves no clock; seconds may pass, and hours may not: it holds what expires, or looks at times         |
 * | `change`  | the default: as `still`, but its requests are paced, which moves the clock by seconds                    |
 * | `pace`    | it sends requests at a certain pace, and seconds that pass otherwise only slow it                        |
 * | `measure` | it counts what happens within seconds, and lets no more than a minute pass                               |
 * | `move`    | it lets minutes or hours pass                                                                            |
 *
 * For the last three, no time passes but what they wait for themselves, and what the network takes: see
 * `TargetTime.inStep`.
 */
export const CLOCK = 'clock';

/** Which uses of the clock may be beside which. */
const BESIDE_ON_CLOCK: Readonly<Record<Use, readonly Use[]>> = {
  still: ['still', 'change', 'pace', 'measure'],
  change: ['still', 'change', 'pace'],
  pace: ['still', 'change', 'pace'],
  measure: ['still'],
  move: ['move'],
  alone: [],
};

/**
 * Two checks may run beside each other when whatever both use is used by both in the same way, and not alone. Uses of
 * the clock have rules of their own.
 */
export function mayRunBeside(one: Touches, other: Touches): boolean {
  for (const [name, use] of Object.entries(one)) {
    const others = other[name];
    if (use === undefined || others === undefined) continue;
    if (name === CLOCK ? !BESIDE_ON_CLOCK[use].includes(others) : use !== others || use === 'alone')
      return false;
  }
  return true;
}

/**
 * Whether no time may pass for a check but what it waits for: then by how many milliseconds its waits may be longer
 * beside others, else undefined.
 */
export function slackInStep({ [CLOCK]: use }: Touches): number | undefined {
  if (use === 'move') return SLACK_MS;
  return use === 'pace' || use === 'measure' || use === 'alone' ? 0 : undefined;
}

/** To one that lets minutes pass seconds do not matter. */
const SLACK_MS = 5_000;

/**
 * When in a run a check has its turn, first to last. `foundation`: others build on what it asks. `scarce`: it uses up
 * what there is little of, such as attempts. `late`: it leaves traces that others would rather not meet.
 */
export const PHASES = ['foundation', 'usual', 'silences', 'scarce', 'late'] as const;
export type Phase = (typeof PHASES)[number];
