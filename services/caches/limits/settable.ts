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

/** Limits that leave room for all checks, in days or gigabytes: the first one that the target accepts is used. */
const ROOMY = [32, 16];

/**
 * Returns the highest value, `top` at most, that every level accepts. Where `top` leaves little room, it is the
 * limit to which the highest level can be raised for the run. A target may permit a lower maximum at one level
 * than at those above it, so levels whose limit was lower are raised; a refusal is no fault.
 * @param readable the levels with their limits before the run, the highest first
 */
export async function settableTop(
  limits: Limits,
  memory: LimitMemory,
  kind: Kind,
  top: number,
  [highest, ...below]: readonly LimitBefore[],
): Promise<number> {
  const raise = async (place: Place, from: number, to: number) => {
    const answer = await limits.set(place, kind, to);
    const now = limits.valueIn(await limits.api.readLimit(place, kind), kind) ?? from;
    memory.read(place, kind, now);
    return { now, ok: answer.ok };
  };
  let found = top;
  for (const value of ROOMY)
    if (highest && value > found) found = Math.max(found, (await raise(highest.place, top, value)).now);
  const isRaised = found > top;
  for (const { place, value: before } of below) {
    // A limit that was never set may follow the level above.
    const value = isRaised ? await limits.known(place, kind) : before;
    if (value >= found) continue;
    const { now, ok } = await raise(place, value, found);
    if (now !== found) found = Math.max(value, ok ? Math.min(now, found) : value);
  }
  return found;
}

/** The distance of values that is tried where others are refused: a target may permit only multiples of five. */
export const ROUND_STEP = 5;

/** Returns `top` and five values below it, each lower by `step` than the one before. */
export const valuesBelow = (top: number, step: number): SettableHierarchy['values'] =>
  [0, 1, 2, 3, 4, 5].map((n) => top - n * step) as unknown as SettableHierarchy['values'];

/**
 * Returns the widest distance of values below `top` that is tried: no multiple of 2 or 5 where there is room, so
 * that a target that rounds limits to tens or fives stores most of them wrongly. Throws `Skipped` where there is
 * no room.
 */
export function widestStep(top: number, kind: Kind): number {
  let step = Math.max(1, Math.floor(top / 10));
  while (step > 1 && (step % 2 === 0 || step % 5 === 0)) step -= 1;
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
