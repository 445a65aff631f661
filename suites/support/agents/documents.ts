/** The two metadata documents as checks look at them. */
import { Blocked } from '../../../lib/check/verdict.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { Discovery } from './discovery.ts';
import { isJsonObject } from './media.ts';

/** Endpoint 1 as a JSON object. Throws `Blocked` where it is none. */
export async function resource(discovery: Discovery): Promise<Answer> {
  return document(await discovery.resource(), 'AGENT-PRM-STATUS');
}

/** Endpoint 2 as a JSON object. Throws `Blocked` where it is none. */
export async function server(discovery: Discovery): Promise<Answer> {
  return document(await discovery.server(), 'AGENT-ASM-STATUS');
}

function document(answer: Answer, by: string): Answer {
  if (answer.status === 200 && isJsonObject(answer.json)) return answer;
  throw new Blocked(
    `${answer.exchange.request.url} answers ${answer.status}, not 200 with a JSON object`,
    by,
  );
}
