/** Figures in the README are those of the catalogues. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allCatalogues } from '../../lib/model/catalogue/registry.ts';
import { packageRoot } from '../../lib/model/paths.ts';

const README = readFileSync(join(packageRoot(), 'README.md'), 'utf8');

test('the README shows a run of all requirements that there are', () => {
  let all = 0;
  for (const { suite, requirements } of allCatalogues().values()) {
    const n = requirements.filter(({ level }) => level === 'required').length;
    all += n;
    expect(README).toMatch(new RegExp(`^${suite} +${n} of ${n} requirements exercised, ${n} hold`, 'm'));
  }
  expect(README).toContain(`${all} of ${all} requirements exercised, ${all} hold`);
});
