import type { Session } from './session.ts';

/** What has a session: the session's own fixtures, and the context of every check. */
export interface HasSession {
  readonly session: Session;
}

let made = 0;

/**
 * Something that is made once in a run and shared by its checks: a twin, a fixture, an observation. Their
 * exchanges are shared with it (see `Session.once`).
 *
 * @param make what makes it, for the first one who asks; with `arguments`, once for each combination of them
 * @returns the function that gives it; where making it threw, every later caller gets the same error
 */
export function perRun<H extends HasSession, A extends readonly (string | number | boolean)[], T>(
  make: (holder: H, ...args: A) => Promise<T>,
): (holder: H, ...args: A) => Promise<T> {
  made += 1;
  const key = `perRun ${made}`;
  return (holder, ...args) =>
    holder.session.once([key, ...args.map((arg) => JSON.stringify(arg))].join(' '), () =>
      make(holder, ...args),
    );
}

/**
 * Something that a run has one of and that sends no requests when it is made: a counter, a list of what was done.
 *
 * @param make what makes it, for the first one who asks
 * @returns the function that gives that of a session
 */
export function perSession<T>(make: (session: Session) => T): (session: Session) => T {
  const known = new WeakMap<Session, { value: T }>();
  return (session) => {
    const kept = known.get(session) ?? { value: make(session) };
    known.set(session, kept);
    return kept.value;
  };
}
