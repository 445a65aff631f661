/** Recognises requests that are refused because of the version that they select (section 9). */

import type { Answer } from '../../../lib/http/answer.ts';
import { Blocked, Undecided } from '../../../lib/model/verdict.ts';
import { type CacheApi, DEFAULTS, type RequestOptions } from '../api/client.ts';

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

/** Throws `Undecided` if the configuration names another version: it may name one that does not exist. */
export function requireOwnVersion({ config: { version } }: Pick<CacheApi, 'config'>): void {
  if (version !== undefined && version !== DEFAULTS.version)
    throw new Undecided(
      `the target refuses the version ${version} and answers without one: look at \`caches.version\`, which is ${DEFAULTS.version} in the examples`,
    );
}
