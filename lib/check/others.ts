/**
 * Deals with others who use the target, and with checks that run at the same time. A check that examines a
 * whole collection, or counts it before and after, cannot tell their changes from the target's faults. Where
 * it fails, the collection is watched, and if something that the run did not make comes or goes in it, the
 * failure is not reported.
 */
import type { CheckResult, Verdict } from '../model/results.ts';
import { isAboutForm } from './expect.ts';
import { failuresOf, withdrawn } from './failures.ts';
import { perSession } from './per-run.ts';
import type { Service } from './service.ts';
import type { Session } from './session.ts';
import { CLOCK, type Touches } from './touches.ts';

/**
 * How often a collection is read while it is watched, and the pause between two reads: together longer than a
 * busy user takes to change something.
 */
const LOOKS = 14;
const REST_MS = 100;
/** How often a thing must come again after it was gone to show that nobody removed it. */
const RETURNS = 2;
/** How often a watched collection must stay unchanged to count as used by nobody else. */
const MOST_IN_VAIN = 3;
/** How often a check that was disturbed is repeated, to find a quiet moment. */
const REPEATS = 3;
/** How many checks are repeated alone where making what they share uses up something that the target limits. */
const MOST_WHEN_SCARCE = 6;
/** Verdicts of a repeat that do not take a failure back. */
const UNDECIDED: readonly Verdict[] = ['blocked'];
/** The same where something scarce may have run out before the repeat. */
const UNDECIDED_WHEN_SCARCE: readonly Verdict[] = ['blocked', 'errored', 'skipped'];

/** What a session knows of others who use the target. */
interface Watched {
  /** Collections in which others were seen. */
  busy: Set<string>;
  /** How often a collection was watched and nothing changed. */
  inVain: Map<string, number>;
}

const watchedIn = perSession((): Watched => ({ busy: new Set(), inVain: new Map() }));

/** How many checks were repeated alone, or would have been, and the requirements that failed then. */
const aloneIn = perSession(() => ({ count: 0, failed: new Set<string>() }));

/** Returns the collections that a check examines as a whole: those that it touches `still` or `alone`. */
function wholes(touches: Touches): string[] {
  return Object.keys(touches).filter(
    (name) => name !== CLOCK && ['still', 'alone'].includes(touches[name] ?? ''),
  );
}

/**
 * Runs a check, and repeats it where it fails and others were seen who may have disturbed it.
 * @returns the first result; where others were seen, that of a repeat that does not fail, or else undecided
 */
export async function undisturbed(
  session: Session,
  service: Service,
  touches: Touches,
  attempt: () => Promise<CheckResult>,
): Promise<CheckResult> {
  const first = await attempt();
  // In the proof, nobody else uses the server.
  if (failuresOf(first).length === 0 || session.input.raw) return first;
  const name = await busyOf(session, service, wholes(touches));
  if (name === undefined) return first;
  for (let nth = 1; nth <= REPEATS; nth += 1) {
    session.forgetUsed(false, true);
    const again = await attempt();
    if (failuresOf(again).length === 0) return again;
  }
  return withdrawn(
    first,
    `undecided: others change the ${name} of this target while the check looks at all of them`,
  );
}

/**
 * Runs a check. Where it does not pass, checks that ran beside it may have disturbed it, so that the result
 * is that of a repeat while no other check runs; unless that decides nothing of what failed before.
 * @param options see `confirmed`
 */
export async function elseAlone(
  session: Session,
  attempt: () => Promise<CheckResult>,
  { scarce = false, passingFaults = false }: { scarce?: boolean; passingFaults?: boolean } = {},
): Promise<CheckResult> {
  const first = await attempt();
  if (!session.http.recorder.hasLanes || ['passed', 'observed', 'skipped'].includes(first.verdict))
    return first;
  if (scarce && !isWorthRepeating(session, first, passingFaults)) return first;
  const again = await session.whileAlone(attempt, scarce);
  const { failed } = aloneIn(session);
  for (const id of failuresOf(again)) failed.add(id);
  const open = scarce ? UNDECIDED_WHEN_SCARCE : UNDECIDED;
  const isUndecided = failuresOf(first).some((id) => open.includes(again.verdicts[id] ?? again.verdict));
  // Where it is known what blocks the repeat, that is at fault.
  const isExplained = again.blockedBy !== undefined && failed.has(again.blockedBy);
  return isUndecided && !isExplained && failuresOf(again).length === 0 ? first : again;
}

/**
 * Returns whether a check is repeated alone although that uses up what is scarce: one of the first that fail
 * for another reason than the form of an answer, which no other check can have caused.
 */
function isWorthRepeating(session: Session, result: CheckResult, passingFaults: boolean): boolean {
  const { findings, verdict } = result;
  if (verdict === 'warned') return false;
  // Checks beside it may well block one that looks for races.
  const isBlocked = findings.length === 0;
  if (isBlocked ? !passingFaults : findings.every(isAboutForm)) return false;
  const repeats = aloneIn(session);
  repeats.count += 1;
  return repeats.count <= MOST_WHEN_SCARCE;
}

/** Returns the first of these collections that others were seen to change. */
async function busyOf(session: Session, service: Service, names: string[]): Promise<string | undefined> {
  const watched = watchedIn(session);
  for (const name of names) {
    if (watched.busy.has(name)) return name;
    const inVain = watched.inVain.get(name) ?? 0;
    if (inVain >= MOST_IN_VAIN) continue;
    // The requests from here on are no evidence of the failure.
    session.http.recorder.begin();
    if (await isChanging(session, service, name)) {
      watched.busy.add(name);
      return name;
    }
    watched.inVain.set(name, inVain + 1);
  }
  return undefined;
}

/**
 * Returns whether others change a collection. A thing that goes and comes again and again is none that others
 * remove: the target shows now one part of the collection and now another.
 */
async function isChanging(session: Session, service: Service, name: string): Promise<boolean> {
  let before: ReadonlySet<string> | undefined;
  let hasChanged = false;
  const gone = new Set<string>();
  const returns = new Map<string, number>();
  for (let n = 0; n < LOOKS; n += 1) {
    let now: ReadonlySet<string>;
    try {
      const things = await service.foreign?.(session, name);
      if (things === undefined) return false;
      now = new Set(things);
    } catch {
      // If the collection cannot be read, no others were seen.
      return false;
    }
    for (const thing of before ?? []) if (!now.has(thing)) gone.add(thing);
    for (const thing of now) {
      if (!gone.delete(thing)) continue;
      const times = (returns.get(thing) ?? 0) + 1;
      if (times >= RETURNS) return false;
      returns.set(thing, times);
    }
    hasChanged ||= before !== undefined && (now.size !== before.size || gone.size > 0);
    before = now;
    // On an in-memory server nobody acts in the background, so there is nothing to wait for.
    if (!session.input.transport) await session.time.rest(REST_MS);
  }
  return hasChanged;
}
