/** Which values limits can be set to on this target. */

import type { Answer } from '../../../lib/http/answer.ts';
import { Skipped } from '../../../lib/model/verdict.ts';
import type { CacheApi } from '../api/client.ts';
import { BESIDE, type Place, type Places } from '../api/places.ts';
import { type Kind, LEVELS, type Level } from '../vocabulary.ts';
import type { LimitMemory } from './limit-memory.ts';
import type { LimitBefore } from './readable-limits.ts';
import type { SettableHierarchy } from './types.ts';

/** What is needed of the limits of a run (`limits.ts`). */
interface Limits {
  readonly api: CacheApi;
  readonly places: Places;
  valueIn(answer: Answer, kind: Kind): number | undefined;
  set(place: Place, kind: Kind, value: number): Promise<Answer>;
  known(place: Place, kind: Kind): Promise<number>;
  levels(kind: Kind): Promise<Level[]>;
}

/**
 * Returns the highest value, `top` at most, that every level accepts. A target may permit a lower maximum at one
 * level than at those above it, so levels whose limit was lower are raised; a refusal is no fault.
 * @param below the levels below the highest one, with their limits before the run
 */
export async function settableTop(
  limits: Limits,
  memory: LimitMemory,
  kind: Kind,
  top: number,
  below: readonly LimitBefore[],
): Promise<number> {
  let found = top;
  for (const { place, value } of below) {
    if (value >= found) continue;
    const answer = await limits.set(place, kind, found);
    const now = limits.valueIn(await limits.api.readLimit(place, kind), kind) ?? value;
    memory.read(place, kind, now);
    if (now !== found) found = Math.max(value, answer.ok ? Math.min(now, found) : value);
  }
  return found;
}

/** Returns `top` and five values below it, each lower by `step` than the one before. */
export const valuesBelow = (top: number, step: number): SettableHierarchy['values'] =>
  [0, 1, 2, 3, 4, 5].map((n) => top - n * step) as unknown as SettableHierarchy['values'];

/** Returns the widest distance of values below `top` that is tried. Throws `Skipped` where there is no room. */
export function widestStep(top: number, kind: Kind): number {
  const step = Math.max(1, Math.floor(top / 10));
  if (top - 5 * step >= 1) return step;
  throw new Skipped(
    `the highest ${kind} limit that every level accepts is ${top}, which leaves no room to test below it`,
  );
}

/** Lowers the limits of other places below one that exceed a value. Returns whether any was lowered. */
export async function lowerThoseBelow(
  limits: Limits,
  place: Place,
  kind: Kind,
  value: number,
): Promise<boolean> {
  let lowered = false;
  for (const key of [...BESIDE, 'repository'] as const) {
    const other = limits.places.find(key);
    if (!other || LEVELS.indexOf(other.level) <= LEVELS.indexOf(place.level)) continue;
    const now = limits.valueIn(await limits.api.readLimit(other, kind), kind);
    if (now !== undefined && now > value) lowered = (await limits.set(other, kind, value)).ok || lowered;
  }
  return lowered;
}

/** Returns the lowest limit of the levels above one, as far as they can be read; Infinity without any. */
export async function capOf(limits: Limits, level: Level, kind: Kind): Promise<number> {
  const all = await limits.levels(kind);
  const above = all.filter((each) => LEVELS.indexOf(each) < LEVELS.indexOf(level));
  const caps: number[] = [];
  for (const each of above) caps.push(await limits.known(limits.places.need(each), kind));
  return Math.min(Number.POSITIVE_INFINITY, ...caps);
}
