/** Whether an answer has a body whose fields can be judged. */

import type { Answer } from '../../../lib/http/answer.ts';
import { isJsonObject } from '../../../lib/model/json.ts';
import { Blocked } from '../../../lib/model/verdict.ts';

/** Whether an answer is a success (any 2xx) with a JSON object, as every reading operation has to give. */
export function isServed(answer: Answer): boolean {
  return answer.ok && isJsonObject(answer.json);
}

/**
 * Returns the answer, so that its fields can be judged. Throws `Blocked` if it is not a success with a JSON
 * object.
 *
 * @param by the id of the requirement about the success of the endpoint, which is named as the cause
 */
export function served(answer: Answer, by: string): Answer {
  if (isServed(answer)) return answer;
  const what = answer.ok ? `${answer.status} without a JSON object` : String(answer.status);
  throw new Blocked(`${answer.exchange.purpose}: answered ${what}`, by, answer.exchange);
}
