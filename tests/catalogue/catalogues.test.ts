import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadCatalogues } from '../../lib/model/catalogue/load.ts';

const catalogues = loadCatalogues(fileURLToPath(new URL('../..', import.meta.url)));

test('titles are unique across all suites', () => {
  const titles = catalogues.flatMap((c) => c.requirements.map((r) => r.title.toLowerCase()));
  const repeated = titles.filter((title, i) => titles.indexOf(title) !== i);
  expect(titles.length).toBeGreaterThan(0);
  expect(repeated).toEqual([]);
});

test('titles are phrases, statements are sentences', () => {
  const all = catalogues.flatMap((c) => c.requirements);
  expect(all.filter((r) => r.title.endsWith('.')).map((r) => r.id)).toEqual([]);
  expect(all.filter((r) => !/[.?)]$/.test(r.statement)).map((r) => r.id)).toEqual([]);
  expect(all.filter((r) => r.level === 'silence' && !r.statement.includes('?')).map((r) => r.id)).toEqual([]);
});

/**
 * An id is what baselines, reports and waivers of other people refer to, so it never changes its meaning and
 * never comes back with another one. The snapshot holds id, level and title of every entry; statements and
 * causes may be reworded freely.
 *
 * When this test fails:
 * - lines were added only: fine, update the snapshot (`npx vitest run --project tests tests/catalogue -u`);
 * - a title was reworded and still says the same: fine, update it;
 * - a level or the meaning of a title changed: give the entry a new id and retire the old one;
 * - a line is gone: the requirement is no longer tested under that id. Say so in the change's description.
 */
describe('ids keep their meaning', () => {
  test.each(catalogues.map((c) => [c.suite, c] as const))('%s', (_, { requirements }) => {
    const lines = requirements.map((r) => `${r.id} | ${r.level} | ${r.title}`).sort();
    expect(lines).toMatchSnapshot();
  });
});
