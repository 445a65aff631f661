/**
 * What a check shares with other checks, stated where it is defined, so that a run knows which checks may run
 * side by side. What a check makes for itself is not mentioned.
 */

/**
 * How something shared is used. `change`: the check changes it, in a way that does not disturb others that
 * change it. `still`: the check examines it, and it must not change meanwhile. `alone`: no other check may
 * use it meanwhile. `pace`, `measure` and `move` are uses of the clock, see `CLOCK`.
 */
export type Use = 'change' | 'still' | 'pace' | 'measure' | 'move' | 'alone';

/** The uses of a check, by the name of what is shared. */
export type Touches = Readonly<Partial<Record<string, Use>>>;

/**
 * The clock of the target, where it can be moved. How a check uses it:
 *
 * | use       | what that means for the check                                                         |
 * | --------- | ------------------------------------------------------------------------------------- |
 * | none      | the time on the target does not matter to it                                          |
 * | `still`   | it moves no clock; seconds may pass, but not hours: it has things that expire, say    |
 * | `change`  | the default: as `still`, but its requests are paced, which moves the clock by seconds |
 * | `pace`    | it sends requests at a certain pace; seconds that others let pass only slow it down   |
 * | `measure` | it counts what happens within seconds, and lets no more than a minute pass            |
 * | `move`    | it lets minutes or hours pass                                                         |
 *
 * `still` is also for checks that examine times. For the last three, no time passes except their own waits
 * and what the network takes: see `TargetTime.inStep`.
 */
export const CLOCK = 'clock';

/** Which uses of the clock may go on at the same time as which. */
const BESIDE_ON_CLOCK: Readonly<Record<Use, readonly Use[]>> = {
  still: ['still', 'change', 'pace', 'measure'],
  change: ['still', 'change', 'pace'],
  pace: ['still', 'change', 'pace'],
  measure: ['still'],
  move: ['move'],
  alone: [],
};

/**
 * Returns whether two checks may run side by side: whatever both use must be used by both in the same way,
 * and not `alone`. Uses of the clock have rules of their own.
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
 * For a check during which no time may pass except its own waits, returns how many milliseconds longer its
 * waits may be beside others; `undefined` for any other check.
 */
export function slackInStep({ [CLOCK]: use }: Touches): number | undefined {
  if (use === 'move') return SLACK_MS;
  return use === 'pace' || use === 'measure' || use === 'alone' ? 0 : undefined;
}

/** Milliseconds that do not matter to a check that lets minutes pass. */
const SLACK_MS = 5_000;

/**
 * The phases of a run, first to last. `foundation`: other checks build on what these check. `scarce`: they
 * use up what is limited, such as attempts. `late`: they leave traces that could disturb others, or let so many hours
 * pass that others would wait long beside them.
 */
export const PHASES = ['foundation', 'usual', 'silences', 'scarce', 'late'] as const;
export type Phase = (typeof PHASES)[number];
