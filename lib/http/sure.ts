/** Reads on which something rests that cannot be asked a second time, such as what a setting was before the run. */
import { Undecided } from '../model/verdict.ts';
import type { Answer } from './answer.ts';
import type { Recorder } from './recorder.ts';

/**
 * So many answers in doubt, and the read is given up. More than it takes for the same answer each time to count as the
 * service's own (see `Disturbances`).
 */
const MOST_READS = 12;

/**
 * Sends a read until its answer is the service's own: a value, or a refusal that is always the same.
 * @param read sends it
 * @throws Undecided where every answer may be a gateway's doing
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
