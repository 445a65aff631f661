/** Tries whether it is `caches.version` that the target refuses, where it understands no request. */
import { ask, isAnswer, type PreflightFinding, refused, said } from '../../../lib/check/preflight/finding.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { CacheApi, DEFAULTS } from '../api/client.ts';
import type { Place } from '../api/places.ts';
import type { CachesConfig } from '../configuration.ts';

/**
 * Returns a finding where every place is answered with 400, and one of them is read in another version.
 * @param place what is read once more
 * @param received what reading the places was answered
 */
export async function versionProblem(
  session: Session,
  { version }: CachesConfig,
  place: Place | undefined,
  received: readonly Answer[],
): Promise<PreflightFinding | undefined> {
  const [first] = received;
  if (version === undefined || version === DEFAULTS.version || !place || !first) return undefined;
  if (!received.every(({ status }) => status === 400)) return undefined;
  const api = new CacheApi({ session });
  const options = { headers: { [api.versionHeader]: DEFAULTS.version } };
  const answer = await ask(() => {
    if (place.level === 'repository') return api.list(place, { per_page: 1 }, options);
    return api.readLimit(place, 'retention', options);
  });
  if (!isAnswer(answer) || !answer.ok) return undefined;
  return refused(
    ['caches.version'],
    `with \`caches.version\` ${version} reading ${place.names.join('/')} is answered with ${said(first)}, and with ${DEFAULTS.version}, the version of the examples, with ${said(answer)}: set \`caches.version\` to that, or leave it out`,
  );
}
