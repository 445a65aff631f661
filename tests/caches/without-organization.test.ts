/** A repository whose organization is not configured: its own usage figures are judged all the same. */
import { expect, test } from 'vitest';
import type { ResolvedTarget } from '../../lib/config/types.ts';
import { checksOnReference } from '../lib/reference-checks.ts';

/** Returns a configuration without the organization's keys. */
const withoutOrganization = (target: ResolvedTarget): ResolvedTarget => {
  const { organization: _, otherOrganization: __, ...caches } = target.caches!;
  return { ...target, caches };
};

test('the figures of a repository are judged without an organization', async () => {
  const results = await checksOnReference(
    'caches',
    'cache-management',
    ['figures-of-nothing.suite', 'usage-figures.suite'],
    (wire) => wire,
    withoutOrganization,
  );
  const verdicts = new Set(results.map(({ id, verdict }) => (id.includes('REPO-USAGE') ? verdict : 'other')));
  expect([...verdicts].sort()).toEqual(['other', 'passed']);
});
