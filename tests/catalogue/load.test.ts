import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { CatalogueError, type CatalogueProblem, loadCatalogues } from '../../lib/model/catalogue/load.ts';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

/** A root with one file for each suite. */
function rootWith(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'catalogue-'));
  roots.push(root);
  for (const [suite, content] of Object.entries(files)) {
    mkdirSync(join(root, 'suites', suite), { recursive: true });
    writeFileSync(join(root, 'suites', suite, 'requirements.yaml'), content);
  }
  return root;
}

/** The mistakes that loading finds, with the file cut down to the suite's name. */
function mistakes(files: Record<string, string>): Omit<CatalogueProblem, 'file'>[] {
  const root = rootWith(files);
  try {
    loadCatalogues(root);
  } catch (error) {
    if (error instanceof CatalogueError) return error.problems.map(({ file, ...rest }) => rest);
    throw error;
  }
  return [];
}

const head = (suite: string) => `suite: ${suite}
title: A suite
spec: 9-example
requirements:
`;

const good = (id: string) => `  - id: ${id}
    section: "4.1"
    level: required
    basis: stated
    title: it works ${id}
    statement: It works.
    severity: major
    cause: It was never tried.
`;

test('a catalogue is read as it is written, folders without one are ignored', () => {
  const root = rootWith({ shop: head('shop') + good('SHOP-OPEN'), bank: head('bank') + good('BANK-OPEN') });
  mkdirSync(join(root, 'suites', 'not-a-suite'));
  const loaded = loadCatalogues(root);
  expect(loaded.map((c) => c.suite)).toEqual(['bank', 'shop']);
  expect(loaded[1]?.requirements).toEqual([
    {
      id: 'SHOP-OPEN',
      section: '4.1',
      level: 'required',
      basis: 'stated',
      title: 'it works SHOP-OPEN',
      statement: 'It works.',
      severity: 'major',
      cause: 'It was never tried.',
    },
  ]);
});

test('the error names file, line, id and mistake, one mistake a line', () => {
  const root = rootWith({
    shop: head('shop') + good('SHOP-OPEN').replace('severity: major', 'severity: grave'),
  });
  const file = join(root, 'suites', 'shop', 'requirements.yaml');
  expect(() => loadCatalogues(root)).toThrow(
    `${file}:11: SHOP-OPEN: \`severity\` is not one of critical, major, minor`,
  );
});

test('text that is not YAML is named with its line', () => {
  const found = mistakes({ shop: `${head('shop')}  - id: SHOP-OPEN\n    title: a: b\n` });
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ line: 6, message: expect.stringContaining('Nested mappings') });
});

test('a key that is written twice is a mistake', () => {
  const found = mistakes({ shop: `${head('shop')}${good('SHOP-OPEN')}    cause: Again.\n` });
  expect(found).toEqual([{ line: 13, message: expect.stringContaining('keys must be unique') }]);
});

test.each([
  ['a required entry without basis', '    basis: stated\n', '', 5, 'lacks `basis`'],
  ['a required entry without cause', '    cause: It was never tried.\n', '', 5, 'lacks `cause`'],
  ['an unknown key', 'cause:', 'causes:', 12, 'unknown key `causes`'],
  ['an unknown level', 'level: required', 'level: wanted', 7, '`level` is not one of required, advised'],
  ['an id in lower case', 'SHOP-OPEN', 'shop-open', 5, '`id` must match pattern'],
  ['a section that YAML reads as a number', '"4.1"', '4.1', 6, '`section` must be string'],
  ['a title that says what ought to be', 'it works SHOP-OPEN', 'it should work', 9, '`title` says "should"'],
  ['a long title', 'it works SHOP-OPEN', 'x'.repeat(91), 9, '`title` is longer than 90 characters'],
  ['an empty statement', 'statement: It works.', 'statement: ""', 10, '`statement` must NOT have fewer'],
  ['a severity for a silence', 'level: required', 'level: silence', 11, '`severity` has no place'],
  ['a basis for an advice', 'level: required', 'level: advised', 8, '`basis` has no place'],
  ['an advice without standard', 'level: required', 'level: advised', 5, 'lacks `standard`'],
  ['an untestable entry without reason', 'level: required', 'level: untestable', 5, 'lacks `reason`'],
])('%s is a mistake', (_, from, to, line, message) => {
  const found = mistakes({ shop: head('shop') + good('SHOP-OPEN').replace(from, to) });
  expect(found).toContainEqual({
    line,
    id: from === 'SHOP-OPEN' ? to : 'SHOP-OPEN',
    message: expect.stringContaining(message),
  });
});

test('the missing head of a file is a mistake', () => {
  expect(mistakes({ shop: `requirements:\n${good('SHOP-OPEN')}` })).toContainEqual({
    line: 1,
    message: 'lacks `suite`',
  });
});

test('the name of a suite is that of its folder', () => {
  expect(mistakes({ shop: head('store') + good('SHOP-OPEN') })).toEqual([
    { line: 1, message: '`suite` is store, the folder is shop' },
  ]);
});

test('an id that is used twice is a mistake, in one suite and in two', () => {
  const twice = mistakes({ shop: head('shop') + good('SHOP-OPEN') + good('SHOP-OPEN') });
  expect(twice).toEqual([
    {
      line: 13,
      id: 'SHOP-OPEN',
      message: expect.stringMatching(/^the id SHOP-OPEN stands at .*:5 already$/),
    },
  ]);
  const across = mistakes({ bank: head('bank') + good('SHOP-OPEN'), shop: head('shop') + good('SHOP-OPEN') });
  expect(across).toContainEqual({
    line: 5,
    id: 'SHOP-OPEN',
    message: expect.stringMatching(/^the id SHOP-OPEN stands at .*bank.*:5 already$/),
  });
});

test('the first word of an id belongs to one suite', () => {
  const mixed = mistakes({ shop: head('shop') + good('SHOP-OPEN') + good('STORE-OPEN') });
  expect(mixed).toEqual([
    { line: 13, id: 'STORE-OPEN', message: 'does not begin with SHOP- like the others' },
  ]);
  const shared = mistakes({
    bank: head('bank') + good('SHOP-CLOSED'),
    shop: head('shop') + good('SHOP-OPEN'),
  });
  expect(shared).toEqual([
    {
      line: 5,
      id: 'SHOP-OPEN',
      message: expect.stringMatching(/^the prefix SHOP- stands at .*bank.*:5 already$/),
    },
  ]);
});

test('a schema property belongs to one entry', () => {
  const withField = (id: string) => `${good(id)}    field: Shop/door\n`;
  expect(mistakes({ shop: head('shop') + withField('SHOP-A') + withField('SHOP-B') })).toEqual([
    {
      line: 22,
      id: 'SHOP-B',
      message: expect.stringMatching(/^the field Shop\/door stands at .*:13 already$/),
    },
  ]);
});

test('a family is one requirement for each member, with the placeholders filled in', () => {
  const family = `${head('shop')}  - section: "4.1"
    level: required
    basis: stated
    title: the {what} opens
    statement: The {what} opens at {hour}.
    severity: major
    cause: Nobody has the key of the {what}.
    members:
      - { id: SHOP-OPEN-DOOR, what: door, hour: nine }
      - { id: SHOP-OPEN-GATE, what: gate, hour: ten, severity: minor, section: "4.2" }
`;
  const [catalogue] = loadCatalogues(rootWith({ shop: family }));
  expect(catalogue?.requirements).toEqual([
    expect.objectContaining({ id: 'SHOP-OPEN-DOOR', section: '4.1', statement: 'The door opens at nine.' }),
    {
      id: 'SHOP-OPEN-GATE',
      section: '4.2',
      level: 'required',
      basis: 'stated',
      title: 'the gate opens',
      statement: 'The gate opens at ten.',
      severity: 'minor',
      cause: 'Nobody has the key of the gate.',
    },
  ]);
  expect(mistakes({ shop: family.replace(', hour: ten', '') })).toEqual([
    { line: 14, id: 'SHOP-OPEN-GATE', message: 'lacks `hour`, which others have' },
  ]);
  expect(mistakes({ shop: family.replaceAll('hour:', 'houre:') })).toEqual([
    {
      line: 13,
      id: 'SHOP-OPEN-DOOR',
      message: '`houre` is neither a key of a requirement nor a placeholder',
    },
  ]);
});

test('a catalogue may be several files in a folder, one of which has the head', () => {
  const root = rootWith({});
  const folder = join(root, 'suites', 'shop', 'requirements');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'suite.yaml'), 'suite: shop\ntitle: A shop\nspec: 9-example\n');
  writeFileSync(join(folder, '1-doors.yaml'), `requirements:\n${good('SHOP-OPEN')}`);
  writeFileSync(join(folder, '2-tills.yaml'), `requirements:\n${good('SHOP-PAY')}`);
  expect(loadCatalogues(root)).toMatchObject([
    { suite: 'shop', title: 'A shop', requirements: [{ id: 'SHOP-OPEN' }, { id: 'SHOP-PAY' }] },
  ]);
});
