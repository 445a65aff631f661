/** The types that describe limits and settings. */
import type { Answer } from '../../../lib/http/answer.ts';
import type { Place } from '../api/places.ts';
import type { Level } from '../vocabulary.ts';

/** One setting, and the limit before and after it. */
export interface Attempt {
  value: number;
  before: number;
  answer: Answer;
  /** The answer to reading the limit afterwards. */
  read: Answer;
  after: number;
}

/** The configured places of the hierarchy, and values to set, from the highest allowed downwards. */
export type SettableHierarchy<Needed extends Level = never> = Record<Needed, Place> &
  Partial<Record<Level, Place>> & {
    /** Six values, descending; the first is the highest that every level accepts, and no more than was set before. */
    values: readonly [number, number, number, number, number, number];
  };
