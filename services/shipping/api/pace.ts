/** How closely requests with one token may follow one another (section 8: up to 2 a second). */
import { perSession } from '../../../lib/check/per-run.ts';

/** What is known of the pace. */
export interface Pace {
  /** How many requests with one token may come together. */
  together: 1 | 2;
  /** Whether it is known if two may. */
  isKnown: boolean;
}

/**
 * The pace of a run. At first requests come evenly, since a limiter may want half a second between any two.
 * Where the clock is moved for the sake of pacing and the target is seen to serve two requests at once, they
 * come in pairs, and the clock is moved half as often.
 */
export const paceOf = perSession((): Pace => ({ together: 1, isKnown: false }));
