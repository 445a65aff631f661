import type { Entry, Known } from '../api/cache.ts';

/** The fields to look up known caches by: all but references, which many caches share, and access times. */
const INDEXED = ['id', 'version', 'size_in_bytes', 'created_at', 'key'] as const;
const FIELDS = [...INDEXED, 'ref', 'last_accessed_at'] as const;
/** An entry is taken for a known cache if they agree in at least this many of the seven fields. */
const ENOUGH = 4;
/** If they agree in this many fields, no other cache can agree better. */
const PLENTY = 6;

/**
 * Finds the known cache that an entry shows. It compares most fields rather than one, so that if a target
 * gets one field wrong, only the check of that field fails, and not every check that has to recognise
 * entries.
 */
export class EntryMatcher<K extends Known = Known> {
  /** For each indexed field, the known caches by the value of that field. */
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

  /** Returns the known cache that an entry shows, or undefined if it shows none of them. */
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

/** A known cache, and the values of its fields for comparison, in the order of `FIELDS`. */
interface Row<K> {
  cache: K;
  values: unknown[];
}

const rows = new WeakMap<Entry, unknown[]>();

/** Returns the values of an entry for comparison; cached, since the same entries are compared often. */
function rowOf(entry: Entry): unknown[] {
  const known = rows.get(entry);
  if (known) return known;
  const row = FIELDS.map((field) => fieldOf(entry, field));
  rows.set(entry, row);
  return row;
}

/** Returns in how many fields two rows agree; a plain loop for speed, since there are thousands. */
function agreement(one: readonly unknown[], other: readonly unknown[]): number {
  let votes = 0;
  for (let i = 0; i < one.length; i += 1) if (one[i] === other[i]) votes += 1;
  return votes;
}

/**
 * Returns the value of a field for comparison. Times are in seconds since the epoch, without fractions, which
 * the specification does not promise; and in full minutes if the time is shown without seconds.
 *
 * @param shown the entry whose accuracy (seconds or minutes) is used
 */
export function fieldOf(entry: Entry, field: (typeof FIELDS)[number], shown = entry): unknown {
  const value = entry[field];
  if (field !== 'created_at' && field !== 'last_accessed_at') return value;
  const time = timeOf(value);
  const seconds = isToTheMinute(shown[field]) ? 60 : 1;
  return Number.isNaN(time) ? value : Math.floor(time / 1000 / seconds) * seconds;
}

/** Whether a time is shown without seconds. */
export const isToTheMinute = (time: unknown): boolean => /T\d\d:?\d\d(Z|\+)/.test(String(time));

/** An ISO 8601 calendar, ordinal or week date, in the extended or basic format, and the time of day. */
const FORM = /^(\d{4})-?(?:(\d\d)-?(\d\d)|(\d{3})|W(\d\d)-?(\d))T(\d\d):?(\d\d)(.*)$/;

/**
 * Parses an ISO 8601 time in the extended or the basic format. Returns milliseconds since the epoch, or NaN
 * for anything else.
 */
export function timeOf(value: unknown): number {
  if (typeof value !== 'string') return Number.NaN;
  // The usual form, of which there are thousands, is parsed at once.
  if (value[7] === '-' && value[10] === 'T' && value.endsWith('Z') && !value.includes(','))
    return Date.parse(value);
  const [, year, month, day, ordinal, week, weekday, hour, minute, rest = ''] = FORM.exec(value) ?? [];
  const fromYear = (days: number) => new Date(Date.UTC(Number(year), 0, days)).toISOString().slice(0, 10);
  // In ISO 8601, the first week of a year is the one with 4 January.
  const monday = 4 - ((new Date(Date.UTC(Number(year), 0, 4)).getUTCDay() + 6) % 7);
  const weeks = () => fromYear(monday + 7 * (Number(week) - 1) + Number(weekday) - 1);
  const date = month ? `${year}-${month}-${day}` : ordinal ? fromYear(Number(ordinal)) : week ? weeks() : '';
  const end = rest
    .replace(/^(\d\d)/, ':$1')
    .replace(',', '.')
    .replace(/\+00(:?00)?$/, 'Z');
  return Date.parse(`${date}T${hour}:${minute}${end}`);
}
