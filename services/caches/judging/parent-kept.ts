/**
 * Section 1: a wrong server may write the first setting of a place into the limit that it inherited from the
 * level above.
 */
import type { CheckContext } from '../../../lib/check/context.ts';
import { perRun } from '../../../lib/check/per-run.ts';
import { labelOf, type Place } from '../api/places.ts';
import type { Limits } from '../limits/limits.ts';
import type { Kind } from '../vocabulary.ts';

/**
 * Sets the limit of a place for the first time, and reads that of the level above. This cannot be done a second
 * time, and no check beside sets limits of the same kind.
 */
const firstSetting = perRun(
  'caches: first setting of a limit',
  async (
    { limits }: CheckContext & { limits: Limits },
    kind: Kind,
    parent: Place,
    child: Place,
    value: number,
  ) => ({
    answer: await limits.set(child, kind, value),
    read: await limits.api.readLimit(parent, kind),
  }),
  { by: (kind, parent, child) => [kind, labelOf(parent), labelOf(child)], undisturbed: true },
);

/**
 * Sets the limit of a place for the first time, and fails unless the limit of the level above stays `before`.
 * Throws `Skipped` if the setting is not accepted.
 */
export async function expectParentKept(
  context: CheckContext & { limits: Limits },
  kind: Kind,
  [parent, before]: readonly [Place, number],
  [child, value]: readonly [Place, number],
): Promise<void> {
  const { limits, expect, skip } = context;
  const { answer, read } = await firstSetting(context, kind, parent, child, value);
  if (!answer.ok) return skip(`the first setting of the ${labelOf(child)} is not accepted`);
  const after = await limits.expectValue(read, parent, kind);
  const what = `the limit of the ${labelOf(parent)} after that of the ${labelOf(child)} was set to ${value} for the first time`;
  expect.equal(after, before, what, { answer: read, by: answer });
}
