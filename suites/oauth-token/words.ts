/** Describes answers of the OAuth endpoints in a few words, for the text of observations. */
import type { Answer } from '../../lib/http/answer.ts';

/** Returns the scope of an answer, such as `scope "read write"`, or says that there is none. */
export function scopeOf(answer: Answer): string {
  const scope = answer.at('/scope');
  return scope === undefined ? 'no scope' : `scope ${JSON.stringify(scope)}`;
}

/** Returns the status and the error code of an answer, such as `401 invalid_client`. */
export function refusal(answer: Answer): string {
  const code = answer.at('/error');
  return `${answer.ok ? 'accepted with ' : ''}${answer.status}${typeof code === 'string' ? ` ${code}` : ''}`;
}

/** Returns the status and the names of the members in a body; their values may be personal. */
export function shape(answer: Answer): string {
  const { json } = answer;
  if (json === null || typeof json !== 'object')
    return `${answer.status}, ${answer.text === '' ? 'empty' : 'no JSON object'}`;
  const active = answer.at('/active');
  return `${answer.status} {${Object.keys(json).join(', ')}}${typeof active === 'boolean' ? ` active ${active}` : ''}`;
}
