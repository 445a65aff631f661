/** Shared parts of the deviations of list entries (section 2). */
import type { Cache } from '../../reference/caches/index.ts';
import type { CacheEntry } from '../../schemas/caches/index.ts';
import { breaking, type CacheDeviation } from './kit.ts';

/**
 * A deviation of list entries as a tuple. `requirement` lacks the beginning `CACHE-ENTRY-`; `change` returns
 * the wrong fields.
 */
export type FalseEntry = [
  id: string,
  requirement: string | string[],
  sentence: string,
  change: (
    cache: Cache,
    truth: CacheEntry,
    timestamp: (milliseconds: number) => string,
  ) => Partial<CacheEntry>,
  entails?: string[],
];

/** Makes a deviation that replaces fields of every entry. */
export const falseEntry = ([id, requirement, sentence, change, entails]: FalseEntry): CacheDeviation =>
  breaking(
    id,
    [requirement].flat().map((each) => `CACHE-ENTRY-${each}`),
    sentence,
    (original) => ({
      serialiseEntry: (cache, env) => {
        const truth = original.serialiseEntry(cache, env);
        return { ...truth, ...change(cache, truth, env.rules.timestamp) };
      },
    }),
    entails,
  );
