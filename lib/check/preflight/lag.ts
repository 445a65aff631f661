/** Finds out in the preflight whether reads lag: makes something, and reads it until it is visible. */
import type { Answer } from '../../http/answer.ts';
import type { Session } from '../session.ts';
import { ask, isAnswer, type PreflightFinding } from './finding.ts';

/** Pauses before each further read, in milliseconds: four seconds in all. */
const PAUSES_MS = [50, 100, 150, 300, 600, 1_200, 1_600];
/** The shortest wait after a change once reads were seen to lag, in milliseconds. */
const LEAST_MS = 300;

/** The outcome of reading again and again. */
export interface Lag {
  /** How long the run is to wait after each change, in milliseconds of real time. */
  settleMs: number;
  finding: PreflightFinding;
}

/**
 * Reads what was made a moment ago until it is visible. If reads lag, the session waits after each change
 * from now on.
 * @param what was made and seen, as in `an address was read`
 * @param read reads it once
 * @param shows returns whether it is visible in an answer
 * @returns the lag; `undefined` where it is visible at once, or never: then the checks have to find out why
 */
export async function lagOf(
  session: Session,
  what: string,
  read: () => Promise<Answer>,
  shows: (answer: Answer) => boolean,
): Promise<Lag | undefined> {
  const madeAt = performance.now();
  for (const pause of [0, ...PAUSES_MS]) {
    if (pause > 0) await session.time.rest(pause);
    const asked = performance.now() - madeAt;
    const answer = await ask(read);
    if (!isAnswer(answer)) return undefined;
    if (!shows(answer)) continue;
    if (pause === 0) return undefined;
    const lag = lagging(what, Math.ceil(asked));
    // The preflight also reads after it undoes this, and has to wait there as well.
    session.http.settling.ms = Math.max(session.http.settling.ms, lag.settleMs);
    return lag;
  }
  return undefined;
}

/** Returns a wait of twice the lag that was seen, since the next one may be longer. */
function lagging(what: string, seenMs: number): Lag {
  const settleMs = Math.max(LEAST_MS, Math.ceil(seenMs / 50) * 100);
  return {
    settleMs,
    finding: {
      outcome: 'doubtful',
      keys: ['run.settle'],
      message: `reads lag behind changes: ${what} only after ${seenMs} ms, so the run waits ${settleMs} ms after each change, which may make it minutes longer; where this is to be so, write \`settle: ${settleMs / 1_000}\` under \`run\``,
    },
  };
}
