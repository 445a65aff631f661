/** Whether reads lag behind changes: the preflight makes something, and reads it until it shows. */
import type { Session } from '../session.ts';
import { isNoVerdict, type PreflightFinding } from './finding.ts';

/** Pauses before each further look, in milliseconds: four seconds in all. */
const PAUSES_MS = [50, 100, 150, 300, 600, 1_200, 1_600];
/** The least that the run waits after a change, once reads were seen to lag, in milliseconds. */
const LEAST_MS = 300;

/** What looking again and again came to. */
export interface Lag {
  /** How long the run is to wait after each change, in milliseconds of real time. */
  settleMs: number;
  finding: PreflightFinding;
}

/**
 * Looks for what was made a moment ago until it shows.
 * @param what was made, with its article
 * @param shows reads it once
 * @returns `undefined` where it shows at once, or never: then it is for the checks to say why
 */
export async function lagOf(
  session: Session,
  what: string,
  shows: () => Promise<boolean>,
): Promise<Lag | undefined> {
  const madeAt = performance.now();
  try {
    for (const pause of [0, ...PAUSES_MS]) {
      if (pause > 0) await session.time.rest(pause);
      const asked = performance.now() - madeAt;
      if (!(await shows())) continue;
      if (pause === 0) return undefined;
      const lag = lagging(what, Math.ceil(asked));
      // What is undone is looked for as well.
      session.http.settling.ms = Math.max(session.http.settling.ms, lag.settleMs);
      return lag;
    }
  } catch (error) {
    if (!isNoVerdict(error)) throw error;
  }
  return undefined;
}

/** Twice what was seen is waited: the next one may take longer. */
function lagging(what: string, seenMs: number): Lag {
  const settleMs = Math.max(LEAST_MS, Math.ceil(seenMs / 50) * 100);
  return {
    settleMs,
    finding: {
      outcome: 'doubtful',
      keys: ['run.settle'],
      message: `reads lag behind changes: ${what} was read only after ${seenMs} ms, so the run waits ${settleMs} ms after each change; where this is to be so, write \`settle: ${settleMs / 1_000}\` under \`run\``,
    },
  };
}
