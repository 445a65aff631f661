/** Section 1, hierarchy rule, and section 8: what holds below a level whose limit was lowered. */

import { perRun } from '../../lib/check/per-run.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { labelOf, type Place } from '../../services/caches/api/places.ts';
import type { Attempt } from '../../services/caches/limits/limits.ts';
import { HIERARCHY_IDS, type HierarchyRule } from '../../services/caches/requirement-ids/hierarchy.ts';
import { SCOPE_IDS } from '../../services/caches/requirement-ids/limits.ts';
import { KINDS, type Kind, LEVELS } from '../../services/caches/vocabulary.ts';
import {
  arrange,
  ENTERPRISE,
  ORGANIZATION,
  organizationAbove,
  REPOSITORY,
  repositoryAbove,
  settings,
} from './hierarchy-setup.ts';
import { type CacheContext, check, onlyLimitsOf } from './suite.ts';

/** Fails if the limit has the value of the attempt, which is no longer allowed. */
function notTaken({ expect }: CacheContext, { value, answer, read, after }: Attempt, why: string): void {
  expect.that(after !== value, `${why}, yet set to ${value} (${answer.status}) the limit reads ${after}`, {
    answer: read,
  });
}

/** A limit that was lowered below those of the levels under it. */
interface Lowered {
  place: Place;
  from: number;
  to: number;
  answer: Answer;
  /** What a level under it reads then, and what it was set to before, if at all. */
  under: { place: Place; set: number | undefined; read: Answer; value: number }[];
  /** What the next level reads that was set below it, once it was raised again; absent if it could not be set. */
  raised: { place: Place; set: number; read: Answer; value: number } | undefined;
}

/** How long to wait until what is below a lowered limit is looked at once more, in milliseconds of real time. */
const LOWERED_LATER_MS = 2_000;

/**
 * Sets a limit that the level above caps, raises that level again, and reads the limit. Returns undefined if
 * one of the two cannot be set.
 */
async function setAndRaised(
  { limits }: CacheContext,
  kind: Kind,
  place: Place,
  set: number,
  [above, to]: readonly [Place, number],
): Promise<Lowered['raised']> {
  if (!(await limits.lower(place, kind, set)).ok) return undefined;
  if ((await limits.inForce(place, kind)) !== set) return undefined;
  if (!(await limits.set(above, kind, to)).ok) return undefined;
  const read = await limits.api.readLimit(place, kind);
  return { place, set, read, value: await limits.expectValue(read, place, kind) };
}

async function readAll(
  { limits }: CacheContext,
  kind: Kind,
  places: readonly Pick<Lowered['under'][number], 'place' | 'set'>[],
): Promise<Lowered['under']> {
  const under: Lowered['under'] = [];
  for (const each of places) {
    const read = await limits.api.readLimit(each.place, kind);
    under.push({ ...each, read, value: await limits.expectValue(read, each.place, kind) });
  }
  return under;
}

/** Lowers the limit of the enterprise or organization below those under it, and reads these. */
const loweredAbove = perRun(
  'caches: parent lowered',
  async (context: CacheContext, kind: Kind, level: 'enterprise' | 'organization'): Promise<Lowered> => {
    const { limits, places, session } = context;
    const hierarchy = await limits.hierarchyFor(kind, level);
    const { values } = hierarchy;
    await arrange(context, kind, 0, 1, 2);
    const [place, from, to] = [hierarchy[level], level === 'enterprise' ? values[0] : values[1], values[3]];
    const answer = await limits.set(place, kind, to);
    const below = LEVELS.slice(LEVELS.indexOf(level) + 1).flatMap((each) => {
      const found = hierarchy[each];
      return found ? [{ place: found, set: each === 'organization' ? values[1] : values[2] }] : [];
    });
    const [unset] = level === 'organization' ? places.unset() : [];
    const looked = [...below, ...(unset ? [{ place: unset, set: undefined }] : [])];
    let under = await readAll(context, kind, looked);
    if (answer.ok && under.some(({ value }) => value > to)) {
      await session.time.rest(LOWERED_LATER_MS);
      under = await readAll(context, kind, looked);
    }
    if (answer.ok) await limits.expectStored(place, kind, to);
    const child = answer.ok ? below[0]?.place : undefined;
    const raised = child && (await setAndRaised(context, kind, child, values[4], [place, from]));
    // What other checks set must not lie below a repository's limit: a target may refuse that.
    await arrange(context, kind, 0, 1, 5);
    return { place, from, to, answer, under, raised };
  },
);

for (const kind of KINDS) {
  const id = (rule: HierarchyRule) => HIERARCHY_IDS[kind][rule];

  for (const [level, needs, name] of [
    ['enterprise', settings(ENTERPRISE, ORGANIZATION), 'enterprise'],
    ['organization', settings(ORGANIZATION, REPOSITORY), 'organization'],
    ['organization', settings(ORGANIZATION), 'unset'],
  ] as const) {
    check(id('BELOW-LOWERED'), { ...needs, case: name }, async (context) => {
      const { expect, block, skip } = context;
      const { place, from, to, answer, under } = await loweredAbove(context, kind, level);
      if (!answer.ok) return skip(`the ${labelOf(place)} cannot be lowered below what is under it`);
      const looked = under.filter(({ set }) => (set === undefined) === (name === 'unset'));
      if (looked.length === 0) return skip('`caches.repositories` names no repository without a limit');
      for (const { place: each, set, read, value } of looked) {
        if (value <= to) continue;
        const [above, rule] =
          each.level === 'organization'
            ? ([organizationAbove, 'ORG-ENT'] as const)
            : ([repositoryAbove, 'REPO-ORG'] as const);
        const { attempt, cap } = await above(context, kind);
        if (attempt.after > cap)
          block(`a ${kind} limit above that of the next level is accepted, too`, id(rule));
        const before = set === undefined ? 'which was not set' : `set to ${set} before`;
        expect.fail(
          `the ${labelOf(place)} was lowered from ${from} to ${to}, and the ${labelOf(each)}, ${before}, reads ${value}`,
          { answer: read, expected: `at most ${to}`, found: String(value), by: answer },
        );
      }
    });
  }

  for (const [level, rule, needs] of [
    ['enterprise', 'ENT-CHILDREN', settings(ENTERPRISE, ORGANIZATION)],
    ['organization', 'ORG-CHILDREN', settings(ORGANIZATION, REPOSITORY)],
  ] as const) {
    const options = { ...needs, case: 'lowered-and-raised', ...onlyLimitsOf(kind) };
    check(SCOPE_IDS[kind][rule], options, async (context) => {
      const { place, from, to, raised } = await loweredAbove(context, kind, level);
      if (!raised)
        return context.skip(`the ${labelOf(place)} cannot be lowered and raised, or nothing set under it`);
      context.expect.equal(
        raised.value,
        raised.set,
        `the ${kind} limit of the ${labelOf(raised.place)}, set to ${raised.set} while that of the ${labelOf(place)} was ${to}, after that was raised to ${from},`,
        { answer: raised.read },
      );
    });
  }

  check(id('ORG-ENT-LOWERED'), settings(ENTERPRISE, ORGANIZATION), async (context) => {
    const { organization, values } = await context.limits.hierarchyFor(kind, 'organization');
    await arrange(context, kind, 0, 1, 5);
    await arrange(context, kind, 3, 4, 5);
    notTaken(
      context,
      await context.limits.attempt(organization, kind, values[1]),
      `the enterprise was lowered to ${values[3]}`,
    );
  });

  check(id('REPO-ORG-LOWERED'), settings(ORGANIZATION, REPOSITORY), async (context) => {
    const { repository, values } = await context.limits.hierarchyFor(kind, 'repository');
    await arrange(context, kind, 0, 1, 2);
    await arrange(context, kind, 0, 4, 5);
    notTaken(
      context,
      await context.limits.attempt(repository, kind, values[2]),
      `the organization was lowered to ${values[4]}`,
    );
  });

  check(
    [id('REPO-ENT-LOWERED'), 'CACHE-SILENCE-PARENT-LOWERED'],
    settings(ENTERPRISE, ORGANIZATION, REPOSITORY),
    async (context) => {
      const { limits, observe, skip } = context;
      const { enterprise, organization, repository, values } = await limits.hierarchyFor(kind, ...LEVELS);
      await arrange(context, kind, 0, 1, 5);
      const lowered = await limits.set(enterprise, kind, values[3]);
      const child = await limits.inForce(organization, kind);
      observe(
        `${kind}: lowering the enterprise from ${values[0]} to ${values[3]} is answered with ${lowered.status}; its organization, set to ${values[1]}, then reads ${child}`,
        'CACHE-SILENCE-PARENT-LOWERED',
      );
      if (!lowered.ok)
        return skip('the enterprise cannot be lowered below its organization, so the case does not arise');
      await limits.expectStored(enterprise, kind, values[3]);
      const attempt = await limits.attempt(repository, kind, values[2]);
      notTaken(context, attempt, `the enterprise was lowered to ${values[3]}, below its organization`);
    },
  );
}
