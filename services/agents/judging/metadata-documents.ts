/** The two metadata documents as checks look at them. */

import type { Answer } from '../../../lib/http/answer.ts';
import { Blocked } from '../../../lib/model/verdict.ts';
import { type Discovery, isResourceMetadata, isServerMetadata } from '../fixtures/discovery.ts';
import { isJsonObject } from './media-type.ts';

/** Endpoint 1 as a JSON object. Throws `Blocked` where it is none. */
export async function resource(discovery: Discovery): Promise<Answer> {
  return served(await discovery.resource(), 'AGENT-PRM-STATUS');
}

/** Endpoint 2 as a JSON object. Throws `Blocked` where it is none. */
export async function server(discovery: Discovery): Promise<Answer> {
  return served(await discovery.server(), 'AGENT-ASM-STATUS');
}

/** An answer that is a document. Throws `Blocked`, by the requirement that it is, where it is none. */
export function served(answer: Answer, by: string): Answer {
  if (answer.status === 200 && isJsonObject(answer.json)) return answer;
  throw new Blocked(
    `${answer.exchange.request.url} answers ${answer.status}, not 200 with a JSON object`,
    by,
  );
}

/** What the challenge, or `agent_auth_uri`, leads to in the place of the well-known address. */
export async function otherWay(
  discovery: Discovery,
  document: (discovery: Discovery) => Promise<Answer>,
): Promise<Answer[]> {
  const other =
    document === resource
      ? await elsewhere(() => discovery.challengeResource(), isResourceMetadata)
      : await elsewhere(() => discovery.agentAuthDocument(), isServerMetadata);
  return other ? [other] : [];
}

/** The same document by the other way, where that leads to one. */
async function elsewhere(
  get: () => Promise<Answer>,
  is: (answer: Answer) => boolean,
): Promise<Answer | undefined> {
  try {
    const answer = await get();
    return is(answer) ? answer : undefined;
  } catch {
    // Where the other way does not lead is judged by the entries about it.
    return undefined;
  }
}
