import type { Entry } from './lists.ts';
import type { Known } from './seeds.ts';

/** Fields that tell a known cache from the others; references are shared by many. */
const INDEXED = ['id', 'key', 'version', 'size_in_bytes', 'created_at'] as const;
const FIELDS = [...INDEXED, 'ref', 'last_accessed_at'] as const;
/** An entry is a known cache when it agrees with it in so many of its seven fields. */
const ENOUGH = 4;

/**
 * Says which known cache an entry is. It goes by most of the fields and not by one, so that a target which
 * gets one of them wrong is told so by the check of that field, and not by all checks at once.
 */
export class Roster<K extends Known = Known> {
  readonly #index = new Map<string, Set<K>>();

  constructor(known: Iterable<K>) {
    for (const cache of known) {
      for (const field of INDEXED) {
        const at = `${field} ${valueOf(cache, field)}`;
        this.#index.set(at, (this.#index.get(at) ?? new Set<K>()).add(cache));
      }
    }
  }

  /** The known cache that an entry is; undefined for one that is none of them. */
  find(entry: Entry): K | undefined {
    let best: K | undefined;
    let most = ENOUGH - 1;
    for (const field of INDEXED) {
      for (const cache of this.#index.get(`${field} ${valueOf(entry, field)}`) ?? []) {
        const votes = FIELDS.filter((each) => valueOf(entry, each) === valueOf(cache, each)).length;
        if (votes > most) [best, most] = [cache, votes];
      }
    }
    return best;
  }
}

/** A field's value for comparison: times to the second, since more is not promised. */
export function valueOf(entry: Entry, field: (typeof FIELDS)[number]): unknown {
  const value = entry[field];
  if (field !== 'created_at' && field !== 'last_accessed_at') return value;
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? value : Math.floor(time / 1000);
}
