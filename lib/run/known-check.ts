import type { Phase, Touches } from '../check/touches.ts';
import type { Effect, SourcePlace } from '../model/results.ts';

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
  /** Where it is written, as the build found it. */
  source?: SourcePlace;
}
