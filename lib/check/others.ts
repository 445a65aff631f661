/**
 * Others who use the target as well, and checks that run beside one. A check that looks at a whole collection, or
 * counts it before and after, cannot tell their changes from the target's faults: where it fails, the collection is
 * watched, and where something comes or goes in it that the run did not make, the failure is not told.
 */
import type { CheckResult } from '../model/results.ts';
import { failuresOf } from './failures.ts';
import { perSession } from './per-run.ts';
import type { Service } from './service.ts';
import type { Session } from './session.ts';
import { CLOCK, type Touches } from './touches.ts';

/** Looks at a collection in a row, and the rest between them: together longer than a busy neighbour takes. */
const LOOKS = 14;
const REST_MS = 100;
/** Watched so often in vain, a collection is nobody else's. */
const MOST_IN_VAIN = 3;
/** A check that was disturbed is done again so often, to find a quiet moment. */
const REPEATS = 3;

/** What is known in a session of who else is at work. */
interface Watched {
  /** Collections in which others were seen. */
  busy: Set<string>;
  /** How often a collection was watched in vain. */
  inVain: Map<string, number>;
}

const watchedIn = perSession((): Watched => ({ busy: new Set(), inVain: new Map() }));

/** The collections that a check looks at as a whole: those that it needs still, or alone. */
function wholes(touches: Touches): string[] {
  return Object.keys(touches).filter(
    (name) => name !== CLOCK && ['still', 'alone'].includes(touches[name] ?? ''),
  );
}

/**
 * The result of a check, given that others may have disturbed it: repeated where it failed and others were seen, and
 * undecided where it fails again.
 */
export async function undisturbed(
  session: Session,
  service: Service,
  touches: Touches,
  attempt: () => Promise<CheckResult>,
): Promise<CheckResult> {
  const first = await attempt();
  // In the proof nobody else is there.
  if (failuresOf(first).length === 0 || session.input.raw) return first;
  const name = await busyOf(session, service, wholes(touches));
  if (name === undefined) return first;
  for (let nth = 1; nth <= REPEATS; nth += 1) {
    session.forgetUsed(false, true);
    const again = await attempt();
    if (failuresOf(again).length === 0) return again;
  }
  return undecided(first, name);
}

/**
 * The result of a check, given that checks that run beside it may have disturbed it: where it did not pass, that of a
 * repeat while no other check runs.
 */
export async function elseAlone(session: Session, attempt: () => Promise<CheckResult>): Promise<CheckResult> {
  const first = await attempt();
  if (!session.http.recorder.hasLanes || ['passed', 'observed', 'skipped'].includes(first.verdict))
    return first;
  return session.whileAlone(attempt);
}

/** The first of these collections in which others are at work. */
async function busyOf(session: Session, service: Service, names: string[]): Promise<string | undefined> {
  const watched = watchedIn(session);
  for (const name of names) {
    if (watched.busy.has(name)) return name;
    const inVain = watched.inVain.get(name) ?? 0;
    if (inVain >= MOST_IN_VAIN) continue;
    // What is sent from here on is no evidence of the failure.
    session.http.recorder.begin();
    if (await isChanging(session, service, name)) {
      watched.busy.add(name);
      return name;
    }
    watched.inVain.set(name, inVain + 1);
  }
  return undefined;
}

async function isChanging(session: Session, service: Service, name: string): Promise<boolean> {
  let before: string | undefined;
  for (let n = 0; n < LOOKS; n += 1) {
    let now: string | undefined;
    try {
      const things = await service.foreign?.(session, name);
      now = things && JSON.stringify([...things].sort());
    } catch {
      // Who cannot look has seen nobody.
      return false;
    }
    if (now === undefined) return false;
    if (before !== undefined && now !== before) return true;
    before = now;
    // A server in memory has no others who act by themselves.
    if (!session.input.transport) await session.time.rest(REST_MS);
  }
  return false;
}

/** A failure that may be the doing of others. */
function undecided(first: CheckResult, name: string): CheckResult {
  const verdicts = Object.entries(first.verdicts).map(([id, verdict]) => [
    id,
    verdict === 'failed' || verdict === 'warned' ? 'errored' : verdict,
  ]);
  return {
    ...first,
    verdict: 'errored',
    verdicts: Object.fromEntries(verdicts) as CheckResult['verdicts'],
    findings: [],
    reason: `undecided: others change the ${name} of this target while the check looks at all of them\n${first.reason ?? ''}`,
  };
}
