/** The quotations of the specifications that requirements rest on. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadCatalogues } from '../../lib/model/catalogue/load.ts';
import { addQuotations } from '../../lib/model/catalogue/specification.ts';
import type { Requirement } from '../../lib/model/catalogue/types.ts';
import { packageRoot } from '../../lib/model/paths.ts';
import { specificationDocument } from '../../lib/report/specification.ts';
import { conformHere, temporaryFolder } from '../lib/conform.ts';

const catalogues = loadCatalogues(packageRoot());
/** Where the specifications are, for those who work on the suites; a mere clone has none. */
const specifications = ['../shared/spec', '../../shared/spec']
  .map((folder) => join(packageRoot(), folder))
  .find((folder) => existsSync(folder));

test.runIf(specifications)('quotations stand in the specification word for word', () => {
  for (const { spec, requirements } of catalogues) {
    const text = readFileSync(join(specifications!, `${spec}.md`), 'utf8');
    for (const { id, quote } of requirements) {
      if (!quote) continue;
      expect(text, id).toContain(quote.text);
      expect(text, id).toMatch(new RegExp(`^#+ ${quote.section.replaceAll('.', '\\.')}[. ]`, 'm'));
    }
  }
});

test('nine of ten required entries have one, and it is short', () => {
  const required = catalogues.flatMap(({ requirements }) =>
    requirements.filter(({ level }) => level === 'required'),
  );
  const quoted = required.filter(({ quote }) => quote !== undefined);
  expect(quoted.length / required.length).toBeGreaterThan(0.9);
  for (const { id, quote } of quoted) expect(quote!.text.length, id).toBeLessThanOrEqual(110);
});

test('docs/specification.md is made from them', () => {
  const file = join(packageRoot(), 'docs', 'specification.md');
  const text = specificationDocument(catalogues);
  if (process.env.UPDATE === '1') writeFileSync(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('the first entry that names a requirement is its quotation; one that names none is a mistake', () => {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'specification.yaml'),
    `quotations:
  - { section: "1", quote: at most 3, of: [ONE-A] }
  - { section: "2", quote: as sent, of: [ONE-*] }
  - { section: "3", quote: gone, of: [TWO-*] }
`,
  );
  const entry = (id: string, level: Requirement['level'] = 'required') =>
    ({ id, level, section: '1', title: id, statement: id }) as Requirement;
  const requirements = [entry('ONE-A'), entry('ONE-B'), entry('ONE-C', 'silence')];
  const { problems } = addQuotations(folder, requirements);
  expect(requirements.map(({ quote }) => quote?.text)).toEqual(['at most 3', 'as sent', undefined]);
  expect(problems.map(({ line, message }) => [line, message])).toEqual([
    [4, '"gone" is the quotation of no requirement'],
  ]);
});

test('explain shows the quotation and its place', async () => {
  const { stdout } = await conformHere(['explain', 'ADDR-LIST-PER-PAGE-MAX']);
  expect(stdout).toContain(
    'rests on  "maximum 20, default 20" (section 4.1 List addresses; docs/specification.md#s1-4-1)',
  );
});
