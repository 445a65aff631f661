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
