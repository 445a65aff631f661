/** Section 4, path parameters: a setting changes the place in its path, even if its body names another. */
import { requireOk } from '../../lib/check/require.ts';
import { labelOf, type Place, type PlaceKey } from '../../services/caches/api/places.ts';
import { KINDS, type Level, PROPERTY } from '../../services/caches/vocabulary.ts';
import { check } from './suite.ts';

const IDS = {
  retention: 'CACHE-RETENTION-SET-OTHER-NAMED',
  storage: 'CACHE-STORAGE-SET-OTHER-NAMED',
} as const;

const OTHERS: [level: Level, other: PlaceKey][] = [
  ['enterprise', 'otherEnterprise'],
  ['organization', 'otherOrganization'],
  ['repository', 'otherRepository'],
];

/** Returns the names of a place as members of a body, under the names of path parameters and the like. */
function named({ level, names }: Place): Record<string, string | undefined> {
  const [first, second] = names;
  if (level === 'repository') return { owner: first, repo: second, full_name: `${first}/${second}` };
  return level === 'organization' ? { org: first, organization: first } : { enterprise: first };
}

for (const kind of KINDS) {
  for (const [level, key] of OTHERS) {
    const needs = [`caches.${level}`, `caches.${key}`];
    check(IDS[kind], { case: level, effects: 'settings', needs }, async ({ limits, places, expect }) => {
      const other = places.need(key);
      const { place, from, to } = await limits.spread(level, kind);
      await limits.protect(other, kind);
      const before = await limits.inForce(other, kind);
      // The value must differ from the other place's limit, since a change of that would not show otherwise.
      const value = before === to ? from : to;
      const body = { json: { [PROPERTY[kind]]: value, ...named(other) } };
      const answer = await limits.put(place, kind, body);
      const read = await limits.api.readLimit(other, kind);
      await limits.refresh(kind);
      requireOk(read);
      const after = await limits.expectValue(read, other, kind);
      expect.equal(
        after,
        before,
        `the ${kind} limit of the ${labelOf(other)}, whose name was in the body of a setting for the ${labelOf(place)} (${answer.status}),`,
        { answer: read, by: answer },
      );
    });
  }
}
