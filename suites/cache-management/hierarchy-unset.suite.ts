/** Section 1, hierarchy rule, and section 8: the limit of a repository for which none was set. */
import { labelOf } from '../../services/caches/api/places.ts';
import { HIERARCHY_IDS } from '../../services/caches/requirement-ids/hierarchy.ts';
import { KINDS } from '../../services/caches/vocabulary.ts';
import { check } from './suite.ts';

for (const kind of KINDS) {
  const needs = ['caches.enterprise', 'caches.organization'];
  check(
    HIERARCHY_IDS[kind].UNSET,
    { effects: 'settings', needs },
    async ({ limits, places, expect, skip }) => {
      const unset =
        places.unset()[0] ??
        skip('`caches.repositories` names no repository of the organization that is not named elsewhere');
      const { enterprise, organization, values } = await limits.hierarchyFor(
        kind,
        'enterprise',
        'organization',
      );
      const repository = places.find('repository');
      const rest = repository ? [[repository, values[5]] as const] : [];
      await limits.arrange(kind, [[enterprise, values[1]], [organization, values[4]], ...rest]);
      const before = await limits.inForce(unset, kind);
      await limits.arrange(kind, [[enterprise, values[0]], [organization, values[4]], ...rest]);
      const read = await limits.api.readLimit(unset, kind);
      const after = await limits.expectValue(read, unset, kind);
      expect.that(
        after <= Math.max(before, values[4]),
        `the ${labelOf(enterprise)} was raised from ${values[1]} to ${values[0]}, and the limit of the ${labelOf(unset)}, which was not set, from ${before} to ${after}, above the ${values[4]} of its organization`,
        { answer: read, expected: `at most ${Math.max(before, values[4])}`, found: String(after) },
      );
    },
  );
}
