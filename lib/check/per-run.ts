import type { Session } from './session.ts';
import type { PerRunOptions } from './shared-work.ts';

/** An object that has a session: a fixture of the session itself, or the context of a check. */
export interface HasSession {
  readonly session: Session;
}

/** An argument that can be compared by its JSON: two arguments are the same if their JSON is. */
export type Plain = string | number | boolean | undefined | { readonly [name: string]: Plain };

/**
 * Defines something that is made once in a run and shared by its checks: a valid request, a fixture, an
 * observation. Its exchanges belong to each check that uses it. If making it throws, every later caller gets
 * the same error, unless it is `Undecided`: then the next caller tries again.
 *
 * @param name a unique name, in the words of its service. Test data and marks that are drawn while it is made
 *   depend on the name (and the arguments) alone, not on what else is defined or made before.
 * @param make makes it, when it is first asked for; with arguments, once for each combination of them
 * @param options.by returns the values by which combinations of arguments are told apart; by default the
 *   arguments themselves, so that it is needed where these are not `Plain`
 * @returns a function that returns it, and makes it on the first call
 */
export function perRun<H extends HasSession, A extends readonly Plain[], T>(
  name: string,
  make: (holder: H, ...args: A) => Promise<T>,
  options?: PerRunOptions,
): (holder: H, ...args: A) => Promise<T>;
export function perRun<H extends HasSession, A extends readonly unknown[], T>(
  name: string,
  make: (holder: H, ...args: A) => Promise<T>,
  options: PerRunOptions & { by: (...args: A) => readonly Plain[] },
): (holder: H, ...args: A) => Promise<T>;
export function perRun<H extends HasSession, A extends readonly Plain[], T>(
  name: string,
  make: (holder: H, ...args: A) => Promise<T>,
  { by = (...args) => args, ...options }: PerRunOptions & { by?: (...args: A) => readonly Plain[] } = {},
): (holder: H, ...args: A) => Promise<T> {
  return (holder, ...args) => {
    const key = [name, ...by(...args).map((arg) => JSON.stringify(arg))].join(' ');
    return holder.session.once(key, () => make(holder, ...args), options);
  };
}

/**
 * Like `perRun`, for a member of a class whose instances have a session: all instances with one session share
 * it.
 */
export function perRunOf<A extends readonly Plain[], T>(
  holder: HasSession,
  name: string,
  make: (...args: A) => Promise<T>,
  options?: PerRunOptions,
): (...args: A) => Promise<T>;
export function perRunOf<A extends readonly unknown[], T>(
  holder: HasSession,
  name: string,
  make: (...args: A) => Promise<T>,
  options: PerRunOptions & { by: (...args: A) => readonly Plain[] },
): (...args: A) => Promise<T>;
export function perRunOf<A extends readonly Plain[], T>(
  holder: HasSession,
  name: string,
  make: (...args: A) => Promise<T>,
  options: PerRunOptions & { by?: (...args: A) => readonly Plain[] } = {},
): (...args: A) => Promise<T> {
  const { by = (...args) => args } = options;
  const give = perRun(name, (_: HasSession, ...args: A) => make(...args), { ...options, by });
  return (...args) => give(holder, ...args);
}

/**
 * Defines something that each session has one of and that sends no requests when it is made: a counter, a
 * list of what was done.
 *
 * @param make makes it, when it is first asked for
 * @returns a function that returns the one of a session
 */
export function perSession<T>(make: (session: Session) => T): (session: Session) => T {
  const known = new WeakMap<Session, { value: T }>();
  return (session) => {
    const kept = known.get(session) ?? { value: make(session) };
    known.set(session, kept);
    return kept.value;
  };
}
