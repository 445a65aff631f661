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
