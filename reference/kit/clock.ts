/** A clock that a test can move forward. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Moves the clock forward by `ms` milliseconds. */
  advance(ms: number): void;
}

/** A clock that stands still until it is moved. `start` in milliseconds since the epoch. */
export function manualClock(start: number = Date.now()): Clock {
  let now = start;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
}

const texts = new Map<number, string>();
/** At this size the cache is emptied. It is far above the number of times that one service has. */
const MOST_TEXTS = 50_000;

/**
 * Returns a time as ISO 8601 in UTC, to the millisecond. Texts are cached, since lists repeat the same times.
 */
export function isoTime(milliseconds: number): string {
  const known = texts.get(milliseconds);
  if (known !== undefined) return known;
  const text = new Date(milliseconds).toISOString();
  if (texts.size >= MOST_TEXTS) texts.clear();
  texts.set(milliseconds, text);
  return text;
}

/** A clock that shows real time plus whatever it was advanced by. */
export function offsetClock(): Clock {
  let offset = 0;
  return {
    now: () => Date.now() + offset,
    advance: (ms) => {
      offset += ms;
    },
  };
}
