/** A clock that a test can move: real time plus an offset, or moved only by hand. */
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
/** More than one service has times by far. */
const MOST_TEXTS = 50_000;

/** A time as ISO 8601 in UTC, to the millisecond. A list says the same times again and again. */
export function isoTime(milliseconds: number): string {
  const known = texts.get(milliseconds);
  if (known !== undefined) return known;
  const text = new Date(milliseconds).toISOString();
  if (texts.size >= MOST_TEXTS) texts.clear();
  texts.set(milliseconds, text);
  return text;
}

/** Real time plus whatever it was advanced by. */
export function offsetClock(): Clock {
  let offset = 0;
  return {
    now: () => Date.now() + offset,
    advance: (ms) => {
      offset += ms;
    },
  };
}
