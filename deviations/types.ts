import type { Handler } from '../reference/kit/service.ts';

/** The three services of the reference. */
export type ServiceName = 'shipping' | 'agents' | 'caches';

/**
 * The reference with something changed: by replaced rules (a seam in the reference),
 * by a filter around it, or both.
 */
export interface Change<Rules> {
  /** Replaces rules of the service; gets the originals so that a change can call them. */
  rules?: (original: Rules) => Partial<Rules>;
  /** Wraps the whole service: changes requests on their way in or answers on their way out. */
  wrap?: (next: Handler) => Handler;
}

/** The reference with exactly one requirement broken. */
export interface Deviation<Rules = unknown> extends Change<Rules> {
  /** Stable, unique: `patch-resets-company`. */
  id: string;
  /** The requirements that it breaks; failing checks may blame these and no others. */
  breaks: string[];
  /** Completes "an implementation that …". */
  sentence: string;
}

/** The reference with one or more silences filled in another legitimate way: nothing may fail. */
export interface Variant<Rules = unknown> extends Change<Rules> {
  id: string;
  /** The silences that it fills differently. */
  fills: string[];
  /** Completes "a conforming implementation that …". */
  sentence: string;
}
