/**
 * Outages of a whole target for some seconds, as when a server takes the place of another: something in front of it
 * answers everything with errors, redirects or pages of HTML, also what a failing check repeats.
 */
import { RESTS_MS } from '../http/unresponsive-targets.ts';
import type { Exchange } from '../model/results.ts';
import { perSession } from './per-run.ts';
import type { Session } from './session.ts';

/**
 * How many of the rests of `RESTS_MS` a session has made in vain, one for each failure that seems due to an
 * outage. A rest after which the failure does not recur does not count.
 */
const restsIn = perSession(() => ({ inVain: 0 }));

/**
 * Rests, in real time, where the target has answered nothing beyond doubt since a check failed, and does not
 * answer an earlier read again either.
 * @param exchanges those that the failing check depended on, the last time but one
 */
export async function restDuringOutage(session: Session, exchanges: readonly Exchange[]): Promise<void> {
  const { disturbances } = session.http.recorder;
  const doubtful = exchanges.filter((each) => disturbances.doubtOf(each) !== undefined);
  const isServed = () => doubtful.every((each) => disturbances.isServedSince(each));
  if (isServed()) return;
  const read = disturbances.servedRead(doubtful[0]!);
  if (read) await sendAgain(session, read);
  if (isServed()) return;
  const rests = restsIn(session);
  const ms = RESTS_MS[rests.inVain];
  rests.inVain += 1;
  if (ms !== undefined) await session.time.rest(ms);
}

/** Notes that a failure did not recur, so that an outage may be over. */
export function outageEnded(session: Session): void {
  restsIn(session).inVain = 0;
}

/** Sends a read again to see whether the target serves anything; the answer is only noted. */
async function sendAgain({ http }: Session, { request: { url, headers } }: Exchange): Promise<void> {
  const call = { method: 'GET', url, headers: Object.fromEntries(headers), purpose: 'read something again' };
  await http
    .sendPaced({ ...call, throttled: 'answer', gatewayErrors: 'answer', quiet: true })
    .catch(() => {});
}
