/** Whether an answer has a body whose fields can be judged at all. */

import type { Answer } from '../../../lib/http/answer.ts';
import { Blocked } from '../../../lib/model/verdict.ts';

/** Whether the body is a JSON object. */
export function isObject({ json }: Answer): boolean {
  return json !== null && typeof json === 'object' && !Array.isArray(json);
}

/** A success, whichever 2xx, with a JSON object: what every reading operation gives. */
export function isServed(answer: Answer): boolean {
  return answer.ok && isObject(answer);
}

/**
 * The answer, to have its fields judged. Throws `Blocked` where it is no success with a JSON object.
 *
 * @param by the requirement about the success of the endpoint
 */
export function served(answer: Answer, by: string): Answer {
  if (isServed(answer)) return answer;
  const what = answer.ok ? `${answer.status} without a JSON object` : String(answer.status);
  throw new Blocked(`${answer.exchange.purpose}: answered ${what}`, by);
}
