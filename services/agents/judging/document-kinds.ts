/** Recognises the two metadata documents (section 2). */
import type { Answer } from '../../../lib/http/answer.ts';
import { isJsonObject } from '../../../lib/model/json.ts';

/** Members of the protected resource metadata; any one of them is enough to recognise the document. */
const RESOURCE_MEMBERS = [
  'resource',
  'resource_name',
  'authorization_servers',
  'scopes_supported',
  'agent_auth_uri',
];

/**
 * Returns whether an answer is the protected resource metadata. Other checks judge which members are missing.
 */
export function isResourceMetadata({ status, json }: Answer): boolean {
  return status === 200 && isJsonObject(json) && RESOURCE_MEMBERS.some((name) => Object.hasOwn(json, name));
}

/** Returns whether an answer is authorization server metadata with the block `agent_auth`. */
export function isServerMetadata(answer: Answer): boolean {
  return answer.status === 200 && isJsonObject(answer.at('/agent_auth'));
}
