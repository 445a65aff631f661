/**
 * Section 4, endpoints 2, 4, 6, 8, 12 and 14: setting a limit to the value that it has, with JSON on several
 * lines, and after a refused setting.
 */

import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { Body } from '../../lib/http/body.ts';
import { Blocked, Skipped } from '../../lib/model/verdict.ts';
import { settingOf } from '../../services/caches/api/client.ts';
import { labelOf, type Place } from '../../services/caches/api/places.ts';
import { isRefusal, setUnusually } from '../../services/caches/judging/unusual-setting.ts';
import { notForItsVersion } from '../../services/caches/judging/version.ts';
import { isForbidden } from '../../services/caches/limits/forbidden-settings.ts';
import type { Limits } from '../../services/caches/limits/limits.ts';
import { isRefused } from '../../services/caches/limits/permitted.ts';
import { capOf } from '../../services/caches/limits/settable.ts';
import { limitId } from '../../services/caches/requirement-ids/limits.ts';
import { KINDS, type Kind, LEVELS, type Level, PROPERTY } from '../../services/caches/vocabulary.ts';
import { type CacheContext, check, onlyLimitsOf } from './suite.ts';

/** Returns JSON with white space wherever it is allowed. A wrong server may read only the first line. */
const indented = (kind: Kind, value: number): Body => ({
  raw: `\r\n{\n\t"${PROPERTY[kind]}" :\n\t\t${value}\n}\n`,
  type: 'application/json',
});

/** Returns bodies that are usually refused: a value above the cap, and one that is no integer. */
async function refused({ limits, places }: CacheContext, level: Level, kind: Kind): Promise<Body[]> {
  const above = places.find(level === 'repository' ? 'organization' : 'enterprise');
  const isCapped = level !== 'enterprise' && above !== undefined;
  const cap = isCapped ? [settingOf(kind, (await limits.known(above, kind)) + 1)] : [];
  return [...cap, settingOf(kind, 'many')];
}

/**
 * Sets the limits of the levels apart, and returns the value of one; undefined where the target does not let
 * them be set to values near those that it shows.
 */
async function spreadFrom(limits: Limits, place: Place, kind: Kind): Promise<number | undefined> {
  try {
    return (await limits.spread(place.level, kind)).from;
  } catch (error) {
    if (error instanceof Blocked || error instanceof Skipped) return undefined;
    throw error;
  }
}

/** The first value that is tried where a limit reads 0 or less, in days or gigabytes. */
const FIRST_TRIED = 32;

/** The least value that is tried, unless the limit reads less: a low limit may remove caches of others. */
const LEAST_TRIED = 7;

/** Whether no limit below a place is higher than a value, which may be a reason to refuse it. */
async function isAboveOthers({ limits, places }: CacheContext, place: Place, kind: Kind, value: number) {
  const isBelow = ({ level }: Place) => LEVELS.indexOf(level) > LEVELS.indexOf(place.level);
  for (const other of places.all().filter(isBelow)) {
    const limit = limits.valueIn(await limits.api.readLimit(other, kind), kind);
    if (limit !== undefined && limit > value) return false;
  }
  return true;
}

/**
 * Fails where a limit can be set to nothing. A target may refuse many values, and the one in force as well, but not
 * all that no level above forbids, and no level below exceeds.
 * @param refused the values that were refused so far
 */
async function expectOneAccepted(
  context: CacheContext,
  place: Place,
  kind: Kind,
  refused: Map<number, Answer>,
): Promise<void> {
  const { api, limits, expect } = context;
  const shown = await limits.inForce(place, kind);
  const cap = await capOf(limits, place.level, kind);
  for (const value of [shown, shown - 1, Math.min(cap, shown + 1)]) {
    if (value < 1 || refused.has(value)) continue;
    const answer = await limits.lower(place, kind, value);
    if (answer.ok) return;
    refused.set(value, answer);
  }
  const permitted = [...refused].filter(([value]) => value <= cap);
  if (permitted.length < 2 || !permitted.every(([, answer]) => isRefused(answer) || isForbidden(answer)))
    return;
  if (!(await isAboveOthers(context, place, kind, shown - 1))) return;
  const [value, answer] = permitted.at(-1)!;
  await notForItsVersion(api, answer, (options) => limits.set(place, kind, value, options));
  expect.fail(
    `the ${kind} limit of the ${labelOf(place)} can be set to nothing: it reads ${shown}, and ${permitted.map(([value]) => value).join(', ')} are all refused, none of them higher than the limits of the levels above`,
    { answer, expected: '204 for some of these values' },
  );
}

/**
 * Fails where a limit is set to a value, then to a lower one, and not to the first one again. A value that was never set
 * decides nothing: a limit may read more than it can be set to, where it is that of a level above.
 */
async function expectRaisedAgain(
  { api, limits, expect }: CacheContext,
  place: Place,
  kind: Kind,
): Promise<void> {
  const cap = await capOf(limits, place.level, kind);
  const value = Math.min(await limits.inForce(place, kind), cap) - 1;
  if (value < 2) return;
  for (const each of [value, value - 1]) {
    if (!(await limits.lower(place, kind, each)).ok || (await limits.inForce(place, kind)) !== each) return;
  }
  const answer = await limits.set(place, kind, value);
  await notForItsVersion(api, answer, (options) => limits.set(place, kind, value, options));
  expect.that(
    ![400, 409, 422].includes(answer.status),
    `the ${kind} limit of the ${labelOf(place)} was set to ${value} and then to ${value - 1}, and is not set to ${value} again, although no level above is lower`,
    { answer, expected: '204' },
  );
}

/**
 * Looks for values that the target accepts where the one that it shows does not help: it may show the limit in
 * another unit. Fails where two that differ by one are accepted and neither is stored, and where none is accepted at
 * all. A target may lower a value to what it permits, and raise one; then both read alike.
 */
async function expectOneStored(context: CacheContext, place: Place, kind: Kind): Promise<void> {
  const { limits, places, expect } = context;
  const shown = await limits.inForce(place, kind);
  const isHighest = place.level === LEVELS.find((level) => places.find(level));
  const stored: { value: number; after: number; answer: Answer }[] = [];
  const refused = new Map<number, Answer>();
  let value = shown < 1 ? FIRST_TRIED : shown;
  const least = Math.max(1, Math.min(value - 1, LEAST_TRIED));
  while (value >= least && stored.length < 2) {
    const answer = await limits.set(place, kind, value);
    const after = await limits.inForce(place, kind);
    if (answer.ok && after === value) return;
    if (answer.ok) stored.push({ value, after, answer });
    else refused.set(value, answer);
    value = answer.ok ? value - 1 : Math.floor(value / 2);
  }
  const [first, second] = stored;
  if (!first) await expectOneAccepted(context, place, kind, refused);
  if (!first || !second) return;
  // No level is above the highest one, whose limit could be 0.
  const isPermitted = first.after === second.after && (second.after > 0 || !isHighest);
  if (isPermitted) return;
  const what = `the limit after it was set to ${second.value} (${second.answer.status})`;
  expect
    .for(limitId(place.level, kind, 'SET-STORES'))
    .equal(second.after, second.value, what, { answer: second.answer });
}

for (const level of LEVELS) {
  for (const kind of KINDS) {
    const ids = [limitId(level, kind, 'SET-STATUS'), limitId(level, kind, 'SET-STORES')];
    const options = { effects: 'settings' as const, needs: [`caches.${level}`], ...onlyLimitsOf(kind) };
    check(ids, { ...options, case: 'unchanged' }, async (context) => {
      const { limits, places, expect, skip } = context;
      const place = places.need(level);
      const spread = await spreadFrom(limits, place, kind);
      if (spread === undefined) {
        await expectOneStored(context, place, kind);
        await expectRaisedAgain(context, place, kind);
      }
      const from = spread ?? (await limits.inForce(place, kind));
      const answer = await limits.set(place, kind, from);
      // A target may refuse the value in force: the specification does not say what causes a 400.
      if (isRefusal(answer)) return skip('the target refuses to set a limit to what it is');
      expect.status(answer, 204);
      const after = await limits.inForce(place, kind);
      const what = `the limit after it was set to ${from} once more (${answer.status})`;
      expect.for(ids[1]!).equal(after, from, what, { answer });
    });

    check(ids, { ...options, case: 'indented' }, async ({ limits, expect }) => {
      const { place, from, to } = await limits.spread(level, kind);
      // If the limit cannot be set with JSON on one line either, the white space is not the reason.
      const { answer, after } = await setUnusually(limits, { place, kind, from, to }, () =>
        limits.put(place, kind, indented(kind, to)),
      );
      expect.accepted(answer, 'white space between its parts does not change what JSON says');
      expect
        .for(ids[1]!)
        .equal(after, to, `the limit after it was set to ${to} on several lines`, { answer });
    });

    check(ids, { ...options, case: 'after-refusal' }, async (context) => {
      const { limits, expect, skip } = context;
      const { place, from, to } = await limits.spread(level, kind);
      for (const [i, body] of (await refused(context, level, kind)).entries()) {
        if ((await limits.put(place, kind, body)).ok) {
          // Checks after this one may need a limit that can be read.
          await limits.set(place, kind, from);
          return skip('the target accepts it');
        }
        const [value, other] = i === 0 ? [to, from] : [from, to];
        let answer = await limits.set(place, kind, value);
        if (isRefusal(answer)) {
          // Limits of levels below that exceed the value may be the reason.
          requireOk(await limits.lower(place, kind, value), ids[0]!);
          requireOk(await limits.set(place, kind, other), ids[0]!);
          await limits.put(place, kind, body);
          answer = await limits.set(place, kind, value);
        }
        expect.status(answer, 204);
        const after = await limits.inForce(place, kind);
        const what = `the limit, set to ${value} after another setting was refused,`;
        expect.for(ids[1]!).equal(after, value, what, { answer });
      }
    });
  }
}
