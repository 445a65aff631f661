/**
 * Which values below the highest one can be set. Their least is not documented (section 8), so the checks begin
 * with values that are far apart, and use closer ones where the target refuses those.
 */
import type { Adapted } from '../../../lib/check/service.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { CheckResult } from '../../../lib/model/results.ts';
import { Blocked } from '../../../lib/model/verdict.ts';
import type { Place } from '../api/places.ts';
import { KINDS, type Kind, type Level } from '../vocabulary.ts';
import { Limits } from './limits.ts';
import { memoryIn } from './run-memory.ts';

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
    const [top, next] = await limits.valuesOf(kind);
    steps.set(kind, top - next);
    try {
      steps.set(kind, await permittedStep(limits, kind));
    } catch (error) {
      if (!(error instanceof Blocked)) throw error;
    }
    differs ||= steps.get(kind) !== top - next;
  }
  return differs ? 'all' : undefined;
}

/** Whether a setting of this kind was refused. */
const isRefusedIn = ({ exchanges }: CheckResult, kind: Kind): boolean =>
  exchanges.some(
    ({ request, response }) =>
      request.method === 'PUT' && request.url.endsWith(`/${kind}-limit`) && (response?.status ?? 0) >= 400,
  );

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
