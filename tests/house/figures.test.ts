/** The figures in the README are those of the catalogues. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allCatalogues } from '../../lib/model/catalogue/registry.ts';
import { packageRoot } from '../../lib/model/paths.ts';

const README = readFileSync(join(packageRoot(), 'README.md'), 'utf8');

const holding = (n: number) => `${n} of ${n} requirements exercised, ${n} hold`;

/** Only the matching line of the README, so that a failure shows no more than that. */
const figureOf = (line: RegExp): string | undefined => line.exec(README)?.[1];

test('the README shows a run of all requirements that there are', () => {
  let all = 0;
  for (const { suite, requirements } of allCatalogues().values()) {
    const n = requirements.filter(({ level }) => level === 'required').length;
    all += n;
    expect(figureOf(new RegExp(`^${suite} +(.* hold)`, 'm'))).toBe(holding(n));
  }
  expect(figureOf(/^no violation found +(.*)$/m)).toBe(holding(all));
});
