/** What one run knows about limits, and what it has to put back. */
import { perSession } from '../../../lib/check/per-run.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { CacheApi } from '../api/client.ts';
import { ChangedLimits } from '../cleanup/changed-limits.ts';
import type { Kind } from '../vocabulary.ts';
import { LimitMemory } from './limit-memory.ts';

/** Returns the limits that a run has to restore, and the values that it knows. */
export const memoryIn = perSession((session) => ({
  changed: new ChangedLimits(session, new CacheApi({ session })),
  memory: new LimitMemory(),
  /** The answers to the first accepted setting of each limit, by `keyOf`. */
  first: new Map<string, Answer>(),
  /** The highest value that every level accepts, of the kinds where it is less than the limits that were read. */
  tops: new Map<Kind, number>(),
  /** The distance of the values to set, of the kinds for which it was looked for; `none` where none fits. */
  steps: new Map<Kind, number | 'none'>(),
}));
