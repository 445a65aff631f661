import type { Phase, Touches } from '../check/touches.ts';
import type { Effect, SourcePlace } from '../model/results.ts';

/** What is known of a check before it runs. */
export interface KnownCheck {
  id: string;
  suite: string;
  /** Ids of the requirements that it cites. */
  requirements: string[];
  effects: Effect;
  /** Which shared things it uses, and its phase in a run; absent where the suites were only collected. */
  touches?: Touches;
  phase?: Phase;
  /** Where its source is, as the build recorded it. */
  source?: SourcePlace;
}
