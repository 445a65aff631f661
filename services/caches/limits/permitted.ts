/**
 * Which values below the highest one can be set. Their least is not documented (section 8), so the checks begin
 * with values that are far apart, and use closer ones where the target refuses those.
 */
import type { Adapted } from '../../../lib/check/service.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { CheckResult } from '../../../lib/model/results.ts';
import { Blocked, Skipped } from '../../../lib/model/verdict.ts';
import type { Place } from '../api/places.ts';
import { KINDS, type Kind, type Level } from '../vocabulary.ts';
import { Limits } from './limits.ts';
import { memoryIn } from './run-memory.ts';
import { ROUND_STEP, widestStep } from './settable.ts';

/** Which of the values, from the highest, is the lowest to which the checks set the limit of a level. */
const LOWEST: Record<Level, number> = { enterprise: 3, organization: 5, repository: 5 };

/**
 * Looks for values that the target permits where a check did not pass and a setting was refused, once for each
 * kind of limit.
 */
export async function adapt(session: Session, result: CheckResult): Promise<Adapted> {
  if (!session.options.effects.includes('settings')) return undefined;
  const { steps } = memoryIn(session);
  const limits = new Limits({ session });
  let differs = false;
  for (const kind of KINDS) {
    if (steps.has(kind) || !isRefusedIn(result, kind)) continue;
    differs = (await differsFromAssumed(limits, kind)) || differs;
  }
  return differs ? 'all' : undefined;
}

/** Looks for the values that every level permits, and notes them. Returns whether they differ from those assumed. */
async function differsFromAssumed(limits: Limits, kind: Kind): Promise<boolean> {
  const { steps, tops } = memoryIn(limits.session);
  const [top, next] = await limits.valuesOf(kind);
  steps.set(kind, top - next);
  try {
    const permitted = await permittedTop(limits, kind, top);
    if (permitted < top) {
      tops.set(kind, permitted);
      steps.set(kind, stepBelow(permitted, kind));
    }
    if (steps.get(kind) !== 'none') steps.set(kind, await permittedStep(limits, kind));
  } catch (error) {
    if (!(error instanceof Blocked)) throw error;
  }
  return tops.has(kind) || steps.get(kind) !== top - next;
}

/** Returns the widest distance of values below one, or `none` where there is no room. */
function stepBelow(top: number, kind: Kind): number | 'none' {
  try {
    return widestStep(top, kind);
  } catch (error) {
    if (error instanceof Skipped) return 'none';
    throw error;
  }
}

/** Returns the values that are tried instead of one that is refused, the highest first. */
function* lowerThan(value: number): Generator<number> {
  for (let half = value; half >= 1; half = Math.floor(half / 2)) {
    const rounded = half - (half % ROUND_STEP);
    yield* new Set([half, rounded].filter((each) => each >= 1 && each < value));
  }
}

/**
 * Returns the highest value, `top` at most, that every level permits. A limit that was never set may read more than it
 * can be set to: the greatest that is permitted is not documented (section 8). A level that refuses every value
 * decides nothing, nor does one that accepts a value just below the limit of the level above, and not that limit.
 */
async function permittedTop(limits: Limits, kind: Kind, top: number): Promise<number> {
  const { enterprise, organization, repository } = await limits.hierarchyFor(kind);
  let found = top;
  for (const place of [enterprise, organization, repository]) {
    if (!place) continue;
    const refuses = async (value: number) => value > 0 && isRefused(await limits.lower(place, kind, value));
    if (!(await refuses(found)) || !(await refuses(found - 1))) continue;
    for (const value of lowerThan(found)) {
      if (await refuses(value)) continue;
      found = value;
      break;
    }
  }
  return found;
}

/** Whether a setting is refused in a way in which a value that is not permitted may be. */
export const isRefused = ({ status }: Answer): boolean => [400, 403, 404, 409, 422].includes(status);

/** Whether a setting of this kind was refused. */
const isRefusedIn = ({ exchanges }: CheckResult, kind: Kind): boolean =>
  exchanges.some(
    ({ request, response }) =>
      request.method === 'PUT' && request.url.endsWith(`/${kind}-limit`) && (response?.status ?? 0) >= 400,
  );

/** Whether a level refuses the values below `top`, a round number, and accepts those at a distance of five. */
async function permitsRoundOnly(limits: Limits, kind: Kind, place: Place, top: number): Promise<boolean> {
  const lowest = top - 5 * ROUND_STEP;
  if (top % ROUND_STEP !== 0 || lowest < 1) return false;
  for (const value of [top - 1, top - 2])
    if (!isRefused(await limits.lower(place, kind, value))) return false;
  return (await limits.lower(place, kind, top - ROUND_STEP)).ok;
}

/**
 * Returns the widest distance of values of which every level accepts the lowest; `none` where a level accepts
 * one below the highest, but not as many as are needed. A level that accepts none of them decides nothing: that
 * its limit cannot be set is for the checks to say. Throws `Blocked` where the limits cannot be raised.
 */
async function permittedStep(limits: Limits, kind: Kind): Promise<number | 'none'> {
  const { values, enterprise, organization, repository } = await limits.hierarchyFor(kind);
  const [top, next] = values;
  const places = [enterprise, organization, repository].filter((place) => place !== undefined);
  await limits.arrangeAll(kind, places, top);
  let found = top - next;
  for (const [i, place] of [...places.entries()].reverse()) {
    const accepts = (value: number) => acceptsValue(limits, kind, value, place, places.slice(0, i));
    let step = found;
    while (step > 0 && !(await accepts(top - LOWEST[place.level] * step))) step = Math.floor(step / 2);
    if (step > 0) found = step;
    else if (await accepts(top - 1)) return 'none';
    else if (await permitsRoundOnly(limits, kind, place, top)) found = ROUND_STEP;
  }
  return found;
}

/**
 * Whether a repository's limit can be set to a value only once the levels above are as low: then the target permits the
 * value, and refuses it below higher limits, which no rule does.
 */
export async function isRefusedBelowHigher(
  limits: Limits,
  kind: Kind,
  place: Place,
  value: number,
): Promise<boolean> {
  if ((await limits.set(place, kind, value)).ok) return false;
  const { enterprise, organization } = await limits.hierarchyFor(kind);
  const above = [enterprise, organization].filter((each) => each !== undefined);
  if (await acceptsValue(limits, kind, value, place, above)) return true;
  // A target with such a fault may accept it at a level only after the one above that.
  for (const each of [...above, place]) {
    await limits.lower(each, kind, value);
    if ((await limits.inForce(each, kind)) !== value) return false;
  }
  return (await limits.set(place, kind, value)).ok;
}

/**
 * Whether a limit can be set to a value, if need be after the levels above it were lowered to the same value: a
 * level that refuses a value only below others violates the hierarchy rule, and permits the value as such.
 * @param above the levels above, the highest first
 */
async function acceptsValue(
  limits: Limits,
  kind: Kind,
  value: number,
  place: Place,
  above: readonly Place[],
): Promise<boolean> {
  const isSet = async (each: Place) => {
    await limits.lower(each, kind, value);
    return (await limits.inForce(each, kind)) === value;
  };
  if (await isSet(place)) return true;
  for (const each of [...above].reverse()) if (!(await isSet(each))) return false;
  return above.length > 0 && isSet(place);
}
