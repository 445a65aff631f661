/**
 * Section 1, hierarchy rule, while the suite has set no limit for the organization. The API cannot unset a
 * limit, so these checks come before all other checks of limits. If a limit was set before the run, they are
 * skipped or detect less.
 */
import { perRun } from '../../lib/check/per-run.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { isOf, labelOf, type Place } from '../../services/caches/api/places.ts';
import { expectParentKept } from '../../services/caches/judging/parent-kept.ts';
import type { Attempt, Limits } from '../../services/caches/limits/limits.ts';
import { HIERARCHY_IDS } from '../../services/caches/requirement-ids/hierarchy.ts';
import { limitId, SCOPE_IDS } from '../../services/caches/requirement-ids/limits.ts';
import { KINDS, type Kind, LEVELS } from '../../services/caches/vocabulary.ts';
import { type CacheContext, onlyLimitsOf, check as suiteCheck } from './suite.ts';

const check = suiteCheck.with({ phase: 'foundation' });

const settingsCheck = check.with({ effects: 'settings' });

const ENTERPRISE = 'caches.enterprise';
const ORGANIZATION = 'caches.organization';
const REPOSITORY = 'caches.repository';

check('CACHE-SILENCE-LIMIT-UNSET', { needs: [ENTERPRISE] }, async ({ places, limits, observe }) => {
  const said: string[] = [];
  for (const kind of KINDS) {
    for (const key of [
      'enterprise',
      'organization',
      'otherOrganization',
      'repository',
      'otherRepository',
    ] as const) {
      const place = places.find(key);
      if (!place) continue;
      const answer = await limits.api.readLimit(place, kind);
      // Checks beside this one may have set limits meanwhile.
      const value = limits.before(place, kind) ?? limits.valueIn(answer, kind);
      said.push(`${kind} of the ${key} ${value ?? `answered ${answer.status}`}`);
    }
  }
  observe(`before the suite sets anything: ${said.join(', ')}`);
});

/**
 * A limit that was set to the value that was already in force, and what it reads after the level above was
 * raised. A wrong server may ignore such a setting, and then let the limit follow the level above.
 */
interface SetToWhatIsInForce {
  place: Place;
  raised: Place;
  value: number;
  read: Answer;
  after: number;
}

/** What became of the first settings. */
interface Untouched {
  /** The attempt to set the repository above the enterprise, or why it was not made. */
  above: Attempt | string;
  equal: SetToWhatIsInForce[];
}

/** Raises the level above a limit and reads the limit again. Returns nothing if it cannot be raised. */
async function afterRaise(
  limits: Limits,
  kind: Kind,
  place: Place,
  value: number,
  raised: Place,
  to: number,
): Promise<SetToWhatIsInForce[]> {
  if (!(await limits.set(raised, kind, to)).ok) return [];
  const read = await limits.api.readLimit(place, kind);
  return [{ place, raised, value, read, after: await limits.expectValue(read, place, kind) }];
}

/**
 * Lowers the enterprise, tries to set the repository above it, and sets the organization and the repository
 * to the values that are in force already.
 */
const untouched = perRun(
  'caches: limits before they were set',
  async ({ limits }: CacheContext, kind: Kind): Promise<Untouched> => {
    const { enterprise, organization, repository, values } = await limits.hierarchyFor(kind, ...LEVELS);
    const equal: SetToWhatIsInForce[] = [];
    if (!(await limits.set(enterprise, kind, values[2])).ok)
      return { equal, above: 'the enterprise cannot be lowered while the others are as they were' };
    await limits.expectStored(enterprise, kind, values[2]);
    const own = await limits.inForce(organization, kind);
    const isAbove = own > values[2];
    const above = isAbove
      ? 'the organization has its own limit, now above the enterprise: another case'
      : await limits.attempt(repository, kind, values[1]);
    const inForce = await limits.inForce(repository, kind);
    if (isAbove || inForce > own) return { equal, above };
    // The rules about equal limits judge whether a setting to the value in force is accepted.
    for (const [place, value, raised] of [
      [organization, own, enterprise],
      [repository, inForce, organization],
    ] as const)
      if ((await limits.set(place, kind, value)).ok)
        equal.push(...(await afterRaise(limits, kind, place, value, raised, values[1])));
    return { equal, above };
  },
  // What is set for the first time cannot be set so again, and no check beside sets limits of the same kind.
  { undisturbed: true },
);

/**
 * Sets a limit to a value that is not in force. If that is not stored either, another requirement is violated, and
 * this throws `Blocked`.
 */
async function expectStoredAfterwards({ limits }: CacheContext, kind: Kind, place: Place): Promise<void> {
  const { values } = await limits.hierarchyFor(kind);
  const value = (await limits.inForce(place, kind)) === values[4] ? values[5] : values[4];
  await limits.expectSettable(place, kind, value);
  await limits.expectStored(place, kind, value);
}

const NEEDED = { needs: [ENTERPRISE, ORGANIZATION, REPOSITORY] };

for (const kind of KINDS) {
  settingsCheck(
    HIERARCHY_IDS[kind]['REPO-ENT'],
    { case: 'organization-untouched', ...NEEDED, ...onlyLimitsOf(kind) },
    async (context) => {
      const { limits, places, skip } = context;
      const { above } = await untouched(context, kind);
      if (typeof above === 'string') return skip(above);
      const { values } = await limits.hierarchyFor(kind);
      const { value, before, answer, read, after } = above;
      context.expect.that(
        // A limit of the repository's own may stay as it was when the enterprise was lowered below it.
        after <= values[2] || (after === before && after !== value),
        `set to ${value} (${answer.status}), the limit reads ${after}, above the ${values[2]} of the ${labelOf(places.need('enterprise'))}`,
        { answer: read, expected: `at most ${values[2]}`, found: String(after) },
      );
      const within = Math.min(values[4], await limits.known(places.need('organization'), kind));
      await limits.expectSettable(places.need('repository'), kind, within);
    },
  );

  for (const [rule, level] of [
    ['ENT-CHILDREN', 'organization'],
    ['ORG-CHILDREN', 'repository'],
  ] as const) {
    const options = { case: 'set-to-what-is-in-force', ...NEEDED, ...onlyLimitsOf(kind) };
    settingsCheck(SCOPE_IDS[kind][rule], options, async (context) => {
      const { equal } = await untouched(context, kind);
      const it = equal.find(({ place }) => place.level === level);
      if (!it) return context.skip(`the ${level} could not be set to what was in force`);
      if (it.after !== it.value) await expectStoredAfterwards(context, kind, it.place);
      context.expect.equal(
        it.after,
        it.value,
        `the ${kind} limit of the ${labelOf(it.place)}, set to ${it.value} when that was in force already, after that of the ${labelOf(it.raised)} was raised,`,
        { answer: it.read },
      );
    });
  }

  const beside = {
    case: 'first',
    needs: [...NEEDED.needs, 'caches.otherRepository'],
    ...onlyLimitsOf(kind),
  };
  settingsCheck(SCOPE_IDS[kind]['REPO-PARENT'], beside, async (context) => {
    const { limits, places, skip } = context;
    const other = places.need('otherRepository');
    await untouched(context, kind);
    const { organization, values } = await limits.hierarchyFor(kind, 'organization');
    if (!isOf(other, organization)) return skip('`caches.otherRepository` is not of the organization');
    await limits.arrange(kind, [[organization, values[4]]]);
    await expectParentKept(context, kind, [organization, values[4]], [other, values[5]]);
  });

  for (const level of LEVELS) {
    const options = { case: 'first', ...NEEDED, ...onlyLimitsOf(kind) };
    settingsCheck(limitId(level, kind, 'SET-STATUS'), options, async (context) => {
      await untouched(context, kind);
      const answer = context.limits.firstAnswer(context.places.need(level), kind);
      if (!answer) return context.skip(`the first setting of the ${level} is not accepted`);
      context.expect.status(answer, 204);
    });
  }
}
