/**
 * Hostile configurations and folders that cannot be written are reported before anything is sent, and output
 * that terminals or CI systems might execute is escaped.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { guardStream, withoutCommands } from '../../lib/cli/streams.ts';
import { BIN, conform, conformHere, running, temporaryFile, temporaryFolder } from '../lib/conform.ts';
import { complaint } from './yaml.ts';

test('nested aliases that expand too far end with one sentence', () => {
  const levels = 'bcdefghi'.split('');
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
  for (const [i, name] of levels.entries()) {
    const below = `*${i === 0 ? 'a' : levels[i - 1]}`;
    bomb.push(`${name}: &${name} [${Array.from({ length: 9 }, () => below).join(', ')}]`);
  }
  expect(complaint(bomb.join('\n'))).toContain('its aliases stand for more than a configuration may have');
});

test('the size of a configuration is bounded', () => {
  const many = Array.from({ length: 1_001 }, (_, i) => `  t${i}: { embedded: true }`);
  expect(complaint(`targets:\n${many.join('\n')}\n`)).toContain('1001 targets are more than');
  expect(complaint(`# ${'x'.repeat(200_000)}\n`)).toContain('bytes are more than');
});

test('a folder for reports that cannot be made or written ends the run before it begins', async () => {
  const file = temporaryFile('a-file', '');
  const kernels = process.platform === 'linux' ? ['/proc/conform', '/proc/self/a/b'] : [];
  for (const out of [file, join(file, 'below'), ...kernels]) {
    const { code, stdout, stderr } = await conformHere(['run', '--out', out]);
    expect(code).toBe(2);
    expect(stderr).toContain('reports cannot be written there');
    expect(stdout).toBe('');
  }
});

test('lines that CI systems would take for commands are escaped', () => {
  expect(withoutCommands('::error::broken\n  ::set-output name=a::b')).toBe(
    '\\x3a:error::broken\n  \\x3a:set-output name=a::b',
  );
  expect(withoutCommands('see ##vso[task.complete] and ##[error]')).toBe(
    'see #\\x23vso[task.complete] and #\\x23[error]',
  );
  expect(withoutCommands('http://[::1]:80/ a::b')).toBe('http://[::1]:80/ a::b');
});

test('a line that is written in pieces is guarded at its beginning only', () => {
  const stream = new PassThrough() as unknown as NodeJS.WriteStream & PassThrough;
  guardStream(stream);
  for (const piece of ['a', '::b\n', '::c', '\n']) stream.write(piece);
  expect(String(stream.read())).toBe('a::b\n\\x3a:c\n');
});

test('titles in a configuration reach the terminal without control characters', async () => {
  const config = temporaryFile(
    'targets.yaml',
    JSON.stringify({ targets: { mine: { title: '\u001b[2J\n::error::x', embedded: true } } }),
  );
  const { stdout } = await conform(['run', '-c', config, '-g', 'ADDR-READ-STATUS', '-o', temporaryFolder()]);
  expect(stdout).toContain('\\x1b[2J');
  expect(stdout).not.toContain('\u001b');
  expect(stdout).not.toMatch(/^\s*::error/m);
});

test.each([
  ['list'],
  ['list', '--deviations'],
  ['explain', 'ADDR-LIST-PER-PAGE-MAX'],
  ['run', '--verbose', '--grep', 'ADDR-READ-*'],
])('a pipe that is closed early is no mistake: %s', async (...args) => {
  const { code, stderr } = await conform(args, { closeStdout: true });
  expect(stderr).toBe('');
  expect(code).toBe(0);
});

test.runIf(existsSync('/dev/full'))(
  'an output that cannot be written is reported in one sentence, and is no success',
  async () => {
    const words = `run --grep TOKEN-ISSUE-STATUS --out ${temporaryFolder()}`;
    const { code, stderr } = await running('sh', [
      '-c',
      `'${process.execPath}' '${BIN}' ${words} > /dev/full`,
    ]);
    expect(stderr).toBe('conform: what it says cannot be written (ENOSPC)\n');
    expect(code).toBe(3);
  },
);
