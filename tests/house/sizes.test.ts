/** Files and checks stay small enough to be read at once. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { packageRoot } from '../../lib/model/paths.ts';

const LONGEST_FILE = 300;
const LONGEST_CHECK = 30;

/** Returns the files of code that are in git, by their path below the root of the package. */
function codeFiles(): string[] {
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: packageRoot(),
    encoding: 'utf8',
  });
  return list.split('\n').filter((file) => /\.(ts|js|mjs|cjs)$/.test(file));
}

const textOf = (file: string): string => readFileSync(join(packageRoot(), file), 'utf8');

/** The number of the line at an offset, counted from 1. */
const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

test(`no file of code has more than ${LONGEST_FILE} lines`, () => {
  const files = codeFiles();
  expect(files.length).toBeGreaterThan(500);
  const long = files
    .map((file) => ({ file, lines: textOf(file).trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > LONGEST_FILE);
  expect(long).toEqual([]);
});

interface SyntaxNode {
  type: string;
  start: number;
  end: number;
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/** Yields the node and all nodes below it. */
function* nodesOf(node: SyntaxNode): Generator<SyntaxNode> {
  yield node;
  for (const value of Object.values(node)) {
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) yield* nodesOf(each);
  }
}

/** Whether a node is measured: a function of a suite file, or a call that defines a check. */
function isMeasured(node: SyntaxNode, text: string): boolean {
  if (/Function(Expression|Declaration)$/.test(node.type)) return true;
  return node.type === 'CallExpression' && /^\w*[cC]heck\(/.test(text.slice(node.start, node.end));
}

test(`no check, and no function beside one, has more than ${LONGEST_CHECK} lines`, () => {
  const files = codeFiles().filter((file) => /^suites\/.*\.suite\.ts$/.test(file));
  let measured = 0;
  const long: string[] = [];
  for (const file of files) {
    const text = textOf(file);
    for (const node of nodesOf(parseAst(text, { lang: 'ts' }))) {
      if (!isMeasured(node, text)) continue;
      measured += 1;
      const first = lineAt(text, node.start);
      const lines = lineAt(text, node.end) - first + 1;
      if (lines > LONGEST_CHECK) long.push(`${file}:${first}: ${lines} lines`);
    }
  }
  expect(measured).toBeGreaterThan(1_000);
  expect(long).toEqual([]);
});
