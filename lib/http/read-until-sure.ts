/** For reads that must be right because they cannot be repeated later: what a setting was before the run. */
import { Undecided } from '../model/verdict.ts';
import type { Answer } from './answer.ts';
import type { Recorder } from './recorder.ts';

/**
 * After how many answers in doubt the read is given up. It is more than `Disturbances` needs to take an
 * answer that is always the same for the service's own.
 */
const MOST_READS = 12;

/**
 * Sends a read again until its answer is certainly the service's own: a value, or a refusal that is always
 * the same.
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
