import type { Session } from './session.ts';
import type { PerRunOptions } from './shared-work.ts';

/** What has a session: the session's own fixtures, and the context of every check. */
export interface HasSession {
  readonly session: Session;
}

/** What an argument may be that tells one thing from another: the same JSON is the same thing. */
export type Plain = string | number | boolean | undefined | { readonly [name: string]: Plain };

/**
 * Something that is made once in a run and shared by its checks: a valid request, a fixture, an observation. Its
 * exchanges belong to each check that uses it. Where making it threw, every later caller gets the same error, unless
 * that was `Undecided`: then the next one tries again.
 *
 * @param name what it is, in the words of its service; nothing else has it. Test data and marks that are drawn while it
 *   is made depend on the name (and the arguments) alone, not on what else is defined or made before.
 * @param make what makes it, for the first one who asks; with `arguments`, once for each combination of them
 * @param options.by what tells the arguments apart, where that is not they themselves
 * @returns the function that gives it
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
 * The same as a member of a class whose instances have a session: all instances of a session give one and the same.
 *
 * @param holder the instance: `readonly first = perRunOf(this, 'notes: first note', async () => …)`
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
