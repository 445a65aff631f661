/** Settings that are sent in an unusual way, and have the same effect as the usual one (section 4). */
import { requireOk } from '../../../lib/check/require.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { Place } from '../api/places.ts';
import type { Limits } from '../limits/limits.ts';
import { limitId } from '../requirement-ids/limits.ts';
import type { Kind } from '../vocabulary.ts';

/** Whether a setting was refused, and not because the server broke down or offers no settings there. */
export const isRefusal = ({ status }: Answer): boolean => status >= 400 && status < 500 && status !== 405;

/**
 * Sends a setting in an unusual way, and reads the limit. Throws `Blocked` where the limit cannot be set in the usual
 * way either. Where it can, after limits of levels below were lowered, these may have been the reason of a refusal,
 * so that the setting is sent once more.
 *
 * @param limit a value that the limit may have before, and the one that is set
 * @param send sends the setting
 * @returns the last answer, and what the limit reads after it
 */
export async function setUnusually(
  limits: Limits,
  { place, kind, from, to }: { place: Place; kind: Kind; from: number; to: number },
  send: () => Promise<Answer>,
): Promise<{ answer: Answer; after: number }> {
  const answer = await send();
  const after = await limits.inForce(place, kind);
  if (answer.ok && after === to) return { answer, after };
  await limits.expectSettable(place, kind, to);
  if (!isRefusal(answer)) return { answer, after };
  requireOk(await limits.set(place, kind, from), limitId(place.level, kind, 'SET-STATUS'));
  return { answer: await send(), after: await limits.inForce(place, kind) };
}
