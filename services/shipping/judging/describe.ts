/** Describes answers in a few words, for the text of observations. */

import { short } from '../../../lib/check/validator.ts';
import type { Answer } from '../../../lib/http/answer.ts';

/** Returns `accepted with 201`, or `refused with 422: the body`. */
export function outcome(answer: Answer): string {
  return answer.ok ? `accepted with ${answer.status}` : `refused with ${answer.status}: ${body(answer)}`;
}

/** Returns the status, media type, notable headers and body of an answer. */
export function inDetail(answer: Answer): string {
  const headers = ['content-type', 'www-authenticate', 'retry-after', 'allow']
    .flatMap((name) => answer.header(name).map((value) => `${name}: ${value}`))
    .join(', ');
  return `${answer.status}${headers && ` (${headers})`}: ${body(answer)}`;
}

/** Describes a page of the list: status, number of addresses, and the page numbers in its `meta`. */
export function pageIn(answer: Answer): string {
  const data = answer.at('/data');
  if (!answer.ok || !Array.isArray(data)) return outcome(answer);
  const meta = answer.at('/meta') as Record<string, unknown> | undefined;
  const said = ['current_page', 'per_page', 'total_pages', 'next_page', 'prev_page']
    .map((name) => `${name} ${short(meta?.[name])}`)
    .join(', ');
  return `${answer.status} with ${data.length} addresses, ${said}`;
}

/** Returns the body of an answer as one line of at most about 160 characters. */
export function body(answer: Answer): string {
  const text = answer.text.replaceAll(/\s+/g, ' ').trim();
  if (text === '') return 'an empty body';
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
