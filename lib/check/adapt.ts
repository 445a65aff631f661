/**
 * A target may permit less than a check assumes: it may hold only so many things for each account, or accept a
 * smaller range of values. A check that does not pass is run again once its service has adapted to that.
 */
import type { CheckResult } from '../model/results.ts';
import { failuresOf } from './failures.ts';
import { perSession } from './per-run.ts';
import type { Adapted, Service } from './service.ts';
import type { Session } from './session.ts';

/** How often a check is run again: checks beside it may use up what was made possible. */
const MOST_TRIES = 3;

/** How often the services have adapted, and what had to be made anew the last time. */
const adaptedIn = perSession(() => ({ times: 0, anew: undefined as Adapted }));

/** Runs a check, and again where it fails or is blocked and the service adapts to the target. Returns the last result. */
export async function adapting(
  session: Session,
  service: Service,
  attempt: () => Promise<CheckResult>,
): Promise<CheckResult> {
  if (!service.adapt) return attempt();
  const known = adaptedIn(session);
  let { times } = known;
  let result = await attempt();
  /** Whether the service has adapted since the check began, perhaps for another check. */
  const hasAdapted = async () => {
    if (known.times === times) {
      const anew = await service.adapt?.(session, result);
      if (anew !== undefined) Object.assign(known, { anew, times: times + 1 });
    }
    return known.times > times;
  };
  for (let tries = 0; mayDiffer(result) && tries < MOST_TRIES; tries += 1) {
    if (!(await session.whileOthersRest(hasAdapted).catch(() => false))) break;
    ({ times } = known);
    if (known.anew === 'all') session.forgetUsed(false, true);
    else session.forgetFailed();
    session.beginUse();
    result = await attempt();
  }
  return result;
}

const mayDiffer = (result: CheckResult): boolean =>
  result.verdict === 'blocked' || failuresOf(result).length > 0;
