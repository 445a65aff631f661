import type { Entry, Known } from '../api/cache.ts';

/** Fields that tell a known cache from the others; references are shared by many. */
const INDEXED = ['id', 'version', 'size_in_bytes', 'created_at', 'key'] as const;
const FIELDS = [...INDEXED, 'ref', 'last_accessed_at'] as const;
/** An entry is a known cache when it agrees with it in so many of its seven fields. */
const ENOUGH = 4;
/** With so many no other can agree with it in more. */
const PLENTY = 6;

/**
 * Says which known cache an entry is. It goes by most of the fields and not by one, so that a target which
 * gets one of them wrong is told so by the check of that field, and not by all checks at once.
 */
export class EntryMatcher<K extends Known = Known> {
  /** For each indexed field, the known caches by its value. */
  readonly #index = INDEXED.map(() => new Map<unknown, Row<K>[]>());

  constructor(known: Iterable<K>) {
    for (const cache of known) {
      const row = { cache, values: rowOf(cache) };
      for (const [i, byValue] of this.#index.entries()) {
        const rows = byValue.get(row.values[i]);
        if (rows) rows.push(row);
        else byValue.set(row.values[i], [row]);
      }
    }
  }

  /** The known cache that an entry is; undefined for one that is none of them. */
  find(entry: Entry): K | undefined {
    const values = rowOf(entry);
    let best: K | undefined;
    let most = ENOUGH - 1;
    for (let i = 0; i < this.#index.length; i += 1) {
      for (const row of this.#index[i]?.get(values[i]) ?? []) {
        const votes = agreement(row.values, values);
        if (votes > most) [best, most] = [row.cache, votes];
      }
      if (most >= PLENTY) return best;
    }
    return best;
  }
}

/** A known cache, and its fields for comparison, in the order of `FIELDS`. */
interface Row<K> {
  cache: K;
  values: unknown[];
}

const rows = new WeakMap<Entry, unknown[]>();

/** The fields of an entry for comparison; kept, since the same few are compared again and again. */
function rowOf(entry: Entry): unknown[] {
  const known = rows.get(entry);
  if (known) return known;
  const row = FIELDS.map((field) => fieldOf(entry, field));
  rows.set(entry, row);
  return row;
}

/** In how many places two rows of fields agree; a loop, since lists of thousands are looked up. */
function agreement(one: readonly unknown[], other: readonly unknown[]): number {
  let votes = 0;
  for (let i = 0; i < one.length; i += 1) if (one[i] === other[i]) votes += 1;
  return votes;
}

/**
 * A field's value for comparison: times to the second, since more is not promised, or to the minute where seconds are
 * left out.
 *
 * @param shown the entry whose accuracy counts
 */
export function fieldOf(entry: Entry, field: (typeof FIELDS)[number], shown = entry): unknown {
  const value = entry[field];
  if (field !== 'created_at' && field !== 'last_accessed_at') return value;
  const time = timeOf(value);
  const seconds = /T\d\d:?\d\d(Z|\+)/.test(String(shown[field])) ? 60 : 1;
  return Number.isNaN(time) ? value : Math.floor(time / 1000 / seconds) * seconds;
}

/** Calendar date, ordinal date or week date, in the extended or the basic format, and the time of day. */
const FORM = /^(\d{4})-?(?:(\d\d)-?(\d\d)|(\d{3})|W(\d\d)-?(\d))T(\d\d):?(\d\d)(.*)$/;

/** An ISO 8601 time, in the extended or the basic format, in milliseconds since the epoch; NaN for anything else. */
export function timeOf(value: unknown): number {
  if (typeof value !== 'string') return Number.NaN;
  // The usual form needs no rewriting, and comes by the thousand.
  if (value[7] === '-' && value[10] === 'T' && value.endsWith('Z') && !value.includes(','))
    return Date.parse(value);
  const [, year, month, day, ordinal, week, weekday, hour, minute, rest = ''] = FORM.exec(value) ?? [];
  const fromYear = (days: number) => new Date(Date.UTC(Number(year), 0, days)).toISOString().slice(0, 10);
  // The first week is that of 4 January.
  const monday = 4 - ((new Date(Date.UTC(Number(year), 0, 4)).getUTCDay() + 6) % 7);
  const weeks = () => fromYear(monday + 7 * (Number(week) - 1) + Number(weekday) - 1);
  const date = month ? `${year}-${month}-${day}` : ordinal ? fromYear(Number(ordinal)) : week ? weeks() : '';
  const end = rest
    .replace(/^(\d\d)/, ':$1')
    .replace(',', '.')
    .replace(/\+00(:?00)?$/, 'Z');
  return Date.parse(`${date}T${hour}:${minute}${end}`);
}
