/** Section 1, hierarchy rule, and section 8: what holds below a level whose limit was lowered. */

import { perRun } from '../../lib/check/per-run.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { labelOf, type Place } from '../../services/caches/api/places.ts';
import type { Attempt } from '../../services/caches/limits/limits.ts';
import { HIERARCHY_IDS, type HierarchyRule } from '../../services/caches/requirement-ids/hierarchy.ts';
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
import { type CacheContext, check } from './suite.ts';

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
  /** What a level under it, which was set to `set`, reads then. */
  under: { place: Place; set: number; read: Answer; value: number }[];
}

/** How long to wait until what is below a lowered limit is looked at once more, in milliseconds of real time. */
const LOWERED_LATER_MS = 2_000;

/** Lowers the limit of the enterprise or organization below those under it, and reads these. */
const loweredAbove = perRun(
  'caches: parent lowered',
  async (context: CacheContext, kind: Kind, level: 'enterprise' | 'organization'): Promise<Lowered> => {
    const { limits, session } = context;
    const hierarchy = await limits.hierarchyFor(kind, level);
    const { values } = hierarchy;
    await arrange(context, kind, 0, 1, 2);
    const [place, from, to] = [hierarchy[level], level === 'enterprise' ? values[0] : values[1], values[3]];
    const answer = await limits.set(place, kind, to);
    const below = LEVELS.slice(LEVELS.indexOf(level) + 1).flatMap((each) => {
      const found = hierarchy[each];
      return found ? [{ place: found, set: each === 'organization' ? values[1] : values[2] }] : [];
    });
    const look = async () => {
      const under: Lowered['under'] = [];
      for (const each of below) {
        const read = await limits.api.readLimit(each.place, kind);
        under.push({ ...each, read, value: await limits.expectValue(read, each.place, kind) });
      }
      return under;
    };
    let under = await look();
    if (answer.ok && under.some(({ value }) => value > to)) {
      await session.time.rest(LOWERED_LATER_MS);
      under = await look();
    }
    if (answer.ok) await limits.expectStored(place, kind, to);
    // What other checks set must not lie below a repository's limit: a target may refuse that.
    await arrange(context, kind, 0, 1, 5);
    return { place, from, to, answer, under };
  },
);

for (const kind of KINDS) {
  const id = (rule: HierarchyRule) => HIERARCHY_IDS[kind][rule];

  for (const [level, needs] of [
    ['enterprise', settings(ENTERPRISE, ORGANIZATION)],
    ['organization', settings(ORGANIZATION, REPOSITORY)],
  ] as const) {
    check(id('BELOW-LOWERED'), { ...needs, case: level }, async (context) => {
      const { expect, block, skip } = context;
      const { place, from, to, answer, under } = await loweredAbove(context, kind, level);
      if (!answer.ok) return skip(`the ${labelOf(place)} cannot be lowered below what is under it`);
      for (const { place: each, set, read, value } of under.filter(({ value }) => value > to)) {
        const [above, rule] =
          each.level === 'organization'
            ? ([organizationAbove, 'ORG-ENT'] as const)
            : ([repositoryAbove, 'REPO-ORG'] as const);
        const { attempt, cap } = await above(context, kind);
        if (attempt.after > cap)
          block(`a ${kind} limit above that of the next level is accepted, too`, id(rule));
        expect.fail(
          `the ${labelOf(place)} was lowered from ${from} to ${to}, and the ${labelOf(each)}, set to ${set} before, reads ${value}`,
          { answer: read, expected: `at most ${to}`, found: String(value), by: answer },
        );
      }
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
