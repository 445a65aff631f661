import type { Phase, Touches } from '../check/touches.ts';
import type { Effect } from '../model/results.ts';

/** What is known of a check before it runs. */
export interface KnownCheck {
  id: string;
  suite: string;
  /** Ids of the requirements that it cites. */
  requirements: string[];
  effects: Effect;
  /** What it uses that others use too, and when it has its turn; absent where the suites were only collected. */
  touches?: Touches;
  phase?: Phase;
}

/** Name of the file that the build writes beside the compiled code. */
export const KNOWN_CHECKS = 'checks.json';
