/** Things that are made once per run are made by `perRun`: they are typed, and no two have the same name. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../lib/model/paths.ts';

const files = ['lib', 'services', 'suites'].flatMap((folder) =>
  readdirSync(join(packageRoot(), folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(packageRoot().length + 1)),
);
const textOf = (file: string): string => readFileSync(join(packageRoot(), file), 'utf8');

test('nobody keeps something for the run under a key of his own', () => {
  const keepers = files.filter((file) => /\bsession\s*\.once\(/.test(textOf(file)));
  // lib/check/suite.ts asks for the sign of life of a suite before any of its checks, under the suite's name.
  expect(keepers.sort()).toEqual(['lib/check/per-run.ts', 'lib/check/suite.ts']);
});

test('each name is written out, and used once: two things under one name would be taken for each other', () => {
  const made = /\bperRun(?:Of)?\(\s*(?:this,\s*)?/g;
  const begins = files
    .filter((file) => file !== 'lib/check/per-run.ts')
    .flatMap((file) => {
      const text = textOf(file);
      return [...text.matchAll(made)].map((match) => text.slice(match.index + match[0].length));
    });
  const names = begins.map(
    (rest) => /^'([^']+)'|^"([^"]+)"/.exec(rest)?.slice(1).join('') ?? rest.slice(0, 40),
  );
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name) => !/^[a-z]+: [a-z]/i.test(name))).toEqual([]);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});
