/** What is said of limits. */
import type { Answer } from '../../../lib/http/answer.ts';
import type { Place } from '../api/places.ts';

/** One setting, and what the limit read as before and after it. */
export interface Attempt {
  value: number;
  before: number;
  answer: Answer;
  /** The read afterwards. */
  read: Answer;
  after: number;
}

/** The places of the hierarchy that are configured, and values to set, from the highest allowed downwards. */
export interface Ladder {
  enterprise: Place;
  organization: Place;
  repository: Place;
  /** Six values, descending; the first is what the highest configured level had before the run. */
  v: readonly [number, number, number, number, number, number];
}
