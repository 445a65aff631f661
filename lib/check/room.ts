/**
 * A target may hold only so many things for each account. A check that is blocked is run again once its service has
 * removed what earlier checks have left.
 */
import type { CheckResult } from '../model/results.ts';
import { perSession } from './per-run.ts';
import type { Service } from './service.ts';
import type { Session } from './session.ts';

/** How often a check is run again: checks beside it may fill the room that was made. */
const MOST_TRIES = 3;

/** How often room was made. */
const roomIn = perSession(() => ({ made: 0 }));

/** Runs a check, and again where it is blocked and the service can make room. Returns the last result. */
export async function withRoom(
  session: Session,
  service: Service,
  attempt: () => Promise<CheckResult>,
): Promise<CheckResult> {
  const room = roomIn(session);
  let { made } = room;
  let result = await attempt();
  /** Whether there is more room than when the check began. */
  const isMade = async () => {
    if (room.made === made && (await service.makeRoom?.(session))) room.made += 1;
    return room.made > made;
  };
  for (let tries = 0; result.verdict === 'blocked' && tries < MOST_TRIES; tries += 1) {
    if (!(await session.whileOthersRest(isMade).catch(() => false))) break;
    ({ made } = room);
    session.forgetFailed();
    session.beginUse();
    result = await attempt();
  }
  return result;
}
