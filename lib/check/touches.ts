/**
 * What a check uses that others use too, said once where it is defined, so that a run knows which checks may run side
 * by side. What a check makes for itself is not mentioned.
 */

/**
 * How something shared is used. `change`: it is changed in a way that others who change it can stand. `still`: it is
 * looked at, and must not change meanwhile. `alone`: nobody else may use it meanwhile. `move`, of the clock: it is moved
 * by minutes or hours, which others who do so can stand.
 */
export type Use = 'change' | 'still' | 'move' | 'alone';

/** Uses by the name of what is shared. */
export type Touches = Readonly<Partial<Record<string, Use>>>;

/**
 * The clock of the target. Every check changes it by seconds, where it is moved for pacing. Who measures time, or lets
 * so much pass that the tokens of others expire, needs it alone.
 */
export const CLOCK = 'clock';

/** Two checks may run beside each other when whatever both use is used by both in the same way, and not alone. */
export function mayRunBeside(one: Touches, other: Touches): boolean {
  for (const [name, use] of Object.entries(one)) {
    const others = other[name];
    if (use !== undefined && others !== undefined && (use !== others || use === 'alone')) return false;
  }
  return true;
}

/**
 * When in a run a check has its turn, first to last. `foundation`: others build on what it asks. `scarce`: it uses up
 * what there is little of, such as attempts. `late`: it leaves traces that others would rather not meet.
 */
export const PHASES = ['foundation', 'usual', 'silences', 'scarce', 'late'] as const;
export type Phase = (typeof PHASES)[number];
