/** Section 1, hierarchy rule, under another organization of the enterprise than the one that all else is tried with. */
import { labelOf, type Place } from '../../services/caches/api/places.ts';
import { KINDS, kindCode } from '../../services/caches/vocabulary.ts';
import { type CacheContext, check } from './suite.ts';

/** Tries a limit above the cap that is in force for a place. */
async function above(
  { limits, expect }: CacheContext,
  kind: (typeof KINDS)[number],
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

const OTHER = 'caches.otherOrganization';

for (const kind of KINDS) {
  const id = (what: string) => `CACHE-HIER-${kindCode(kind)}-${what}`;
  const options = (...needs: string[]) => ({
    case: 'other-organization',
    effects: 'settings' as const,
    needs: [OTHER, ...needs],
  });

  check(id('ORG-ENT'), options('caches.enterprise'), async (context) => {
    const { enterprise, organization, repository, v } = await context.limits.ladder(kind);
    const other = context.places.need('otherOrganization');
    const rest = [organization, repository].filter(Boolean).map((place) => [place, v[4]] as const);
    await above(
      context,
      kind,
      // Not above what the enterprise has been lowered from: that is another requirement.
      [[enterprise, v[0]], ...rest, [other, v[4]]],
      [other, v[0] + 1],
      [enterprise, v[0]],
    );
  });

  check(id('REPO-ORG'), options('caches.namesakeRepository'), async (context) => {
    const { limits, places, skip } = context;
    const { enterprise, organization, v } = await limits.ladder(kind);
    const [other, namesake] = [places.need('otherOrganization'), places.need('namesakeRepository')];
    if (namesake.names[0]!.toLowerCase() !== other.names[0]!.toLowerCase())
      return skip('the namesake is not a repository of the other organization');
    const rest = [enterprise, organization].filter(Boolean).map((place) => [place, v[0]] as const);
    await above(context, kind, [...rest, [other, v[3]], [namesake, v[5]]], [namesake, v[1]], [other, v[3]]);
  });
}
