/** A cache, as the suite knows it and as a target shows it. */
import type { Place } from './places.ts';

/**
 * The id of a cache. An id that a JavaScript number cannot hold exactly is a string of digits
 * (`exact-ids.ts`).
 */
export type CacheId = number | string;

/** A cache with the field values that it is known to have. */
export interface Known {
  id: CacheId;
  key: string;
  ref: string;
  version: string;
  size_in_bytes: number;
  created_at: string;
  last_accessed_at: string;
}

/** A cache that the suite made. */
export interface Seeded extends Known {
  repository: Place;
}

/** An entry as the target sent it: any of its fields may be missing or wrong. */
export type Entry = { readonly [Field in keyof Known]?: unknown };
