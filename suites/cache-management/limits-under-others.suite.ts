/** Section 1, hierarchy rule: in a second organization, and with a second enterprise. */
import { perRun } from '../../lib/check/per-run.ts';
import { isOf, labelOf, type Place } from '../../services/caches/api/places.ts';
import { expectParentKept } from '../../services/caches/judging/parent-kept.ts';
import { HIERARCHY_IDS, type HierarchyRule } from '../../services/caches/requirement-ids/hierarchy.ts';
import { SCOPE_IDS } from '../../services/caches/requirement-ids/limits.ts';
import { KINDS, type Kind } from '../../services/caches/vocabulary.ts';
import { type CacheContext, check, onlyLimitsOf } from './suite.ts';

/** Fails if a limit can be set above the cap that is in force for its place. */
async function above(
  { limits, expect }: CacheContext,
  kind: Kind,
  wanted: readonly (readonly [Place, number])[],
  [place, value]: readonly [Place, number],
  [of, cap]: readonly [Place, number],
): Promise<void> {
  await limits.arrange(kind, wanted);
  const { answer, read, after } = await limits.attempt(place, kind, value);
  expect.that(
    after <= cap,
    `set to ${value} (${answer.status}), the limit of the ${labelOf(place)} reads ${after}, above the ${cap} of the ${labelOf(of)}`,
    { answer: read, expected: `at most ${cap}`, found: String(after) },
  );
}

/** Returns the namesake. Throws `Skipped` unless it belongs to the other organization. */
function namesakeIn({ places, skip }: CacheContext): Place {
  const [other, namesake] = [places.need('otherOrganization'), places.need('namesakeRepository')];
  if (!isOf(namesake, other))
    skip('`caches.namesakeRepository` is not a repository of the other organization');
  return namesake;
}

/**
 * Lowers the enterprise, and tries to set a repository above it. The suite has set no limit for that
 * repository's organization.
 */
const unsetOrganization = perRun(
  'caches: repository of an organization without a limit',
  async (context: CacheContext, kind: Kind) => {
    const { limits, places } = context;
    const { enterprise, organization, repository, values } = await limits.hierarchyFor(kind, 'enterprise');
    const namesake = namesakeIn(context);
    await limits.inForce(places.need('otherOrganization'), kind);
    const rest = [organization, repository]
      .filter((place) => place !== undefined)
      .map((place) => [place, values[4]] as const);
    await limits.arrange(kind, [[enterprise, values[3]], ...rest]);
    // A limit in force before may stay, but no other value above the enterprise's may come into force.
    const value = (await limits.inForce(namesake, kind)) === values[1] ? values[2] : values[1];
    return { enterprise, cap: values[3], namesake, attempt: await limits.attempt(namesake, kind, value) };
  },
);

const OTHER = 'caches.otherOrganization';

for (const kind of KINDS) {
  const id = (rule: HierarchyRule) => HIERARCHY_IDS[kind][rule];
  const options = (...needs: string[]) => ({
    case: 'other-organization',
    effects: 'settings' as const,
    needs: [OTHER, ...needs],
  });

  check(id('ORG-ENT'), options('caches.enterprise'), async (context) => {
    const { enterprise, organization, repository, values } = await context.limits.hierarchyFor(
      kind,
      'enterprise',
    );
    const other = context.places.need('otherOrganization');
    const rest = [organization, repository]
      .filter((place) => place !== undefined)
      .map((place) => [place, values[4]] as const);
    await above(
      context,
      kind,
      // The enterprise is not lowered, since another requirement is about the cap of a lowered limit.
      [[enterprise, values[0]], ...rest, [other, values[4]]],
      [other, values[0] + 1],
      [enterprise, values[0]],
    );
  });

  check(id('REPO-ORG'), options('caches.namesakeRepository'), async (context) => {
    const { limits, places } = context;
    const { enterprise, organization, values } = await limits.hierarchyFor(
      kind,
      'enterprise',
      'organization',
    );
    const [other, namesake] = [places.need('otherOrganization'), namesakeIn(context)];
    const rest = [enterprise, organization].filter(Boolean).map((place) => [place, values[0]] as const);
    await above(
      context,
      kind,
      [...rest, [other, values[3]], [namesake, values[5]]],
      [namesake, values[1]],
      [other, values[3]],
    );
  });

  // This comes before other checks set a limit of this organization: until then, a wrong server may still use
  // the limit that the organization inherited at first.
  const unset = {
    effects: 'settings' as const,
    phase: 'foundation' as const,
    case: 'unset-organization',
    ...onlyLimitsOf(kind),
  };
  const needs = [OTHER, 'caches.enterprise', 'caches.namesakeRepository'];
  check(id('REPO-ENT'), { ...unset, needs }, async (context) => {
    const { enterprise, cap, namesake, attempt } = await unsetOrganization(context, kind);
    const { value, answer, read, after } = attempt;
    context.expect.that(
      after !== value,
      `the ${labelOf(enterprise)} was lowered to ${cap}, yet set to ${value} (${answer.status}) the limit of the ${labelOf(namesake)} reads ${after}`,
      { answer: read, expected: `at most ${cap}`, found: String(after) },
    );
  });

  check(SCOPE_IDS[kind]['ORG-PARENT'], { ...unset, case: 'first', needs }, async (context) => {
    const { limits, places } = context;
    const { enterprise } = await unsetOrganization(context, kind);
    const { values } = await limits.hierarchyFor(kind);
    const before = await limits.known(enterprise, kind);
    await expectParentKept(
      context,
      kind,
      [enterprise, before],
      [places.need('otherOrganization'), values[5]],
    );
  });

  // A wrong server may compare limits as text, in which 1000 comes before 500.
  for (const [rule, level] of [
    ['ORG-ENT', 'organization'],
    ['REPO-ENT', 'repository'],
  ] as const) {
    const needs = ['caches.enterprise', 'caches.organization', `caches.${level}`];
    check(id(rule), { case: 'more-digits', effects: 'settings', needs }, async (context) => {
      const { values, ...places } = await context.limits.hierarchyFor(
        kind,
        'enterprise',
        'organization',
        level,
      );
      const { enterprise, organization, repository } = places;
      const cap = values.find((value) => !/^10*$/.test(String(value)))!;
      const rest = [repository]
        .filter((place) => place !== undefined)
        .map((place) => [place, values[5]] as const);
      const wanted = [
        [enterprise, cap],
        [organization, level === 'organization' ? values[5] : cap],
        ...rest,
      ] as const;
      await above(context, kind, wanted, [places[level], 10 ** String(values[0]).length], [enterprise, cap]);
    });
  }

  const beside = ['caches.otherEnterprise', 'caches.enterprise', 'caches.organization'];
  check(id('OTHER-ENT'), { effects: 'settings', needs: beside }, async (context) => {
    const { limits, places, expect } = context;
    const { enterprise, organization, repository, values } = await limits.hierarchyFor(
      kind,
      'enterprise',
      'organization',
    );
    const other = places.need('otherEnterprise');
    const rest = [repository]
      .filter((place) => place !== undefined)
      .map((place) => [place, values[5]] as const);
    await limits.arrange(kind, [[enterprise, values[0]], [organization, values[4]], ...rest]);
    // The other enterprise's limit is not raised if it is already below all values that are tried here.
    const cap = Math.min(values[5], await limits.known(other, kind));
    await limits.arrange(kind, [[other, cap]]);
    const { answer, read, after } = await limits.attempt(organization, kind, values[2]);
    expect.accepted(
      answer,
      `the ${labelOf(enterprise)} allows ${values[0]}, and ${labelOf(other)} is not above it`,
    );
    expect.equal(
      after,
      values[2],
      `the limit of the ${labelOf(organization)} beside the ${cap} of ${labelOf(other)}`,
      {
        answer: read,
      },
    );
  });
}
