/** Recognises requests that are refused because of the version that they select (section 9). */

import type { Answer } from '../../../lib/http/answer.ts';
import { Blocked } from '../../../lib/model/verdict.ts';
import type { CacheApi, RequestOptions } from '../api/client.ts';

/**
 * Throws `Blocked` if a request was refused, and the same request without the version header succeeds: then
 * the header is the cause, which another requirement judges.
 *
 * @param again sends the same request with changed headers
 */
export async function notForItsVersion(
  api: CacheApi,
  answer: Answer,
  again: (options: RequestOptions) => Promise<Answer>,
): Promise<void> {
  if (answer.ok) return;
  const without = await again({ headers: { [api.versionHeader]: undefined } });
  if (without.ok)
    throw new Blocked(
      `${answer.exchange.purpose}: answered ${answer.status}, and ${without.status} without the version header`,
      'CACHE-VERSION-HEADER',
    );
}
