/** For reads whose answer must be the service's own, since much depends on each of them. */
import { Undecided } from '../model/verdict.ts';
import type { Answer } from './answer.ts';
import type { Recorder } from './recorder.ts';

/** The pauses before a read is sent again while undoing, in milliseconds. */
const PAUSES_MS = [0, 200, 600];

/**
 * After how many answers in doubt the read is given up. It is more than `Disturbances` needs to take an
 * answer that is always the same for the service's own.
 */
const MOST_READS = 12;

/**
 * Sends a read again until its answer is certainly the service's own: a value, or a refusal that is always
 * the same. It is for what cannot be read later: what a setting was before the run.
 * @param read sends it
 * @throws Undecided when every answer may come from a gateway
 */
export async function readUntilSure(recorder: Recorder, read: () => Promise<Answer>): Promise<Answer> {
  for (let n = 1; ; n += 1) {
    const answer = await read();
    const doubt = recorder.disturbances.doubtOf(answer.exchange);
    if (doubt === undefined) return answer;
    if (n >= MOST_READS)
      throw new Undecided(`${answer.exchange.purpose}: each of ${n} answers may be a gateway's (${doubt})`);
  }
}

/**
 * Sends a read again, a few times, while it gets no answer, or one that may not be the service's own. It is for
 * undoing, which would otherwise leave things behind for one such answer.
 * @param read sends it
 * @param rest waits for so many milliseconds
 * @returns the last answer
 * @throws Undecided when the last one has no answer
 */
export async function readAgainWhileInDoubt(
  recorder: Recorder,
  read: () => Promise<Answer>,
  rest: (ms: number) => Promise<void>,
): Promise<Answer> {
  for (const pause of PAUSES_MS) {
    try {
      const answer = await read();
      if (recorder.disturbances.doubtOf(answer.exchange) === undefined) return answer;
    } catch (error) {
      if (!(error instanceof Undecided)) throw error;
    }
    if (pause > 0) await rest(pause);
  }
  return read();
}
