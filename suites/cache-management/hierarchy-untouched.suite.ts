/**
 * Section 1, hierarchy rule, while the suite has set no limit for the organization. A limit cannot be unset through
 * the API, so that these come before all other checks of limits; where one was set all the same, they skip.
 */
import { requireOk } from '../../lib/check/require.ts';
import { labelOf } from '../../services/caches/api/places.ts';
import { HIERARCHY_IDS } from '../../services/caches/ids/hierarchy.ts';
import { limitId } from '../../services/caches/ids/limits.ts';
import { KINDS } from '../../services/caches/vocabulary.ts';
import { check as suiteCheck } from './suite.ts';

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
      said.push(`${kind} of the ${key} ${limits.valueIn(answer, kind) ?? `answered ${answer.status}`}`);
    }
  }
  observe(`before the suite sets anything: ${said.join(', ')}`);
});

for (const kind of KINDS) {
  settingsCheck(
    HIERARCHY_IDS[kind]['REPO-ENT'],
    { case: 'organization-untouched', needs: [ENTERPRISE, ORGANIZATION, REPOSITORY] },
    async (context) => {
      const { limits, skip } = context;
      const { enterprise, organization, repository, v } = await limits.ladder(
        kind,
        'enterprise',
        'organization',
        'repository',
      );
      const lowered = await limits.set(enterprise, kind, v[2]);
      if (!lowered.ok)
        return skip(`the enterprise cannot be lowered while the others are as they were (${lowered.status})`);
      await limits.expectStored(enterprise, kind, v[2]);
      const own = await limits.inForce(organization, kind);
      if (own > v[2])
        return skip('the organization has its own limit, now above the enterprise: another case');
      const attempt = await limits.attempt(repository, kind, v[1]);
      const { value, before, answer, read, after } = attempt;
      context.expect.that(
        // A limit of the repository's own may stay as it was when the enterprise was lowered below it.
        after <= v[2] || (after === before && after !== value),
        `set to ${value} (${answer.status}), the limit reads ${after}, above the ${v[2]} of the ${labelOf(enterprise)}`,
        { answer: read, expected: `at most ${v[2]}`, found: String(after) },
      );
      const twin = await limits.attempt(repository, kind, Math.min(v[4], own));
      requireOk(twin.answer, limitId('repository', kind, 'SET-STATUS'));
    },
  );
}
