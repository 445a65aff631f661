/**
 * The two metadata documents (endpoints 1 and 2) as checks use them: a check is blocked where one is not
 * served.
 */

import type { Answer } from '../../../lib/http/answer.ts';
import { isJsonObject } from '../../../lib/model/json.ts';
import { Blocked } from '../../../lib/model/verdict.ts';
import type { Discovery } from '../fixtures/discovery.ts';
import { isResourceMetadata, isServerMetadata } from './document-kinds.ts';

/**
 * Returns the protected resource metadata (endpoint 1). Throws `Blocked` unless it is 200 with a JSON object.
 */
export async function resource(discovery: Discovery): Promise<Answer> {
  return served(await discovery.resource(), 'AGENT-PRM-STATUS');
}

/**
 * Returns the authorization server metadata (endpoint 2). Throws `Blocked` unless it is 200 with a JSON
 * object.
 */
export async function server(discovery: Discovery): Promise<Answer> {
  return served(await discovery.server(), 'AGENT-ASM-STATUS');
}

/**
 * Returns the answer if it is 200 with a JSON object; throws `Blocked` otherwise.
 * @param by the requirement that the document is served, which the blocked check names as the cause
 */
export function served(answer: Answer, by: string): Answer {
  if (answer.status === 200 && isJsonObject(answer.json)) return answer;
  throw new Blocked(
    `${answer.exchange.request.url} answers ${answer.status}, not 200 with a JSON object`,
    by,
  );
}

/**
 * Reads the same document in the other way that discovery offers: at the address in the challenge, or at
 * `agent_auth_uri`, instead of at the well-known address. Returns an empty list where that leads to no such
 * document.
 * @param document `resource` or `server`
 */
export async function readByOtherWay(
  discovery: Discovery,
  document: (discovery: Discovery) => Promise<Answer>,
): Promise<Answer[]> {
  const other =
    document === resource
      ? await documentOrNone(() => discovery.challengeResource(), isResourceMetadata)
      : await documentOrNone(() => discovery.agentAuthDocument(), isServerMetadata);
  return other ? [other] : [];
}

/**
 * Reads a document with `get`. Returns `undefined` where that fails, or where `is` does not recognise the
 * answer.
 */
async function documentOrNone(
  get: () => Promise<Answer>,
  is: (answer: Answer) => boolean,
): Promise<Answer | undefined> {
  try {
    const answer = await get();
    return is(answer) ? answer : undefined;
  } catch {
    // The requirements about the challenge and about `agent_auth_uri` judge that the other way fails.
    return undefined;
  }
}
