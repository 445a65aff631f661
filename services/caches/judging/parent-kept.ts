/**
 * Section 1: a wrong server may write the first setting of a place into the limit that it inherited from the
 * level above.
 */
import type { CheckContext } from '../../../lib/check/context.ts';
import { labelOf, type Place } from '../api/places.ts';
import type { Limits } from '../limits/limits.ts';
import type { Kind } from '../vocabulary.ts';

/**
 * Sets the limit of a place for the first time, and fails unless the limit of the level above stays `before`.
 * Throws `Skipped` if the setting is not accepted.
 */
export async function expectParentKept(
  { limits, expect, skip }: CheckContext & { limits: Limits },
  kind: Kind,
  [parent, before]: readonly [Place, number],
  [child, value]: readonly [Place, number],
): Promise<void> {
  const answer = await limits.set(child, kind, value);
  if (!answer.ok) return skip(`the first setting of the ${labelOf(child)} is not accepted`);
  const read = await limits.api.readLimit(parent, kind);
  const after = await limits.expectValue(read, parent, kind);
  const what = `the limit of the ${labelOf(parent)} after that of the ${labelOf(child)} was set to ${value} for the first time`;
  expect.equal(after, before, what, { answer: read, by: answer });
}
