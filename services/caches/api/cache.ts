/** A cache, as the suite knows it and as a target shows it. */
import type { Place } from './places.ts';

/** The id of a cache; the digits of one that is beyond what a number says exactly (`exact-ids.ts`). */
export type CacheId = number | string;

/** A cache as it is known to be. */
export interface Known {
  id: CacheId;
  key: string;
  ref: string;
  version: string;
  size_in_bytes: number;
  created_at: string;
  last_accessed_at: string;
}

/** A cache of the suite's own. */
export interface Seeded extends Known {
  repository: Place;
}

/** An entry as the target sent it: any of its fields may be missing or wrong. */
export type Entry = { readonly [Field in keyof Known]?: unknown };
