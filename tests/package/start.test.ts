/** What a command loads when it starts: none loads modules that it does not use. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../lib/model/paths.ts';
import { conform } from '../lib/conform.ts';

/** Prints every module that a start resolves. */
const TRACE = `data:text/javascript,${encodeURIComponent(`
  import { register } from 'node:module';
  register('data:text/javascript,' + encodeURIComponent(\`
    import { writeSync } from 'node:fs';
    export async function resolve(name, context, next) {
      const found = await next(name, context);
      writeSync(2, 'loads ' + found.url + '\\\\n');
      return found;
    }\`));
`)}`;

async function loadedBy(...args: string[]): Promise<string[]> {
  const { code, stderr } = await conform(args, { env: { NODE_OPTIONS: `--import ${TRACE}` } });
  expect(code).toBe(0);
  return [...stderr.matchAll(/^loads (.*)$/gm)].map(([, url]) => url!);
}

test('the help loads the command line alone', async () => {
  const loaded = await loadedBy('--help');
  expect(loaded.length).toBeGreaterThan(3);
  expect(loaded.filter((url) => /node_modules/.test(url) && !/\/(commander)\//.test(url))).toEqual([]);
  expect(loaded.length).toBeLessThan(30);
});

test('the list loads no runner, no client, no validator', async () => {
  const loaded = await loadedBy('list', '--suite', 'oauth-token');
  expect(loaded.filter((url) => /\/(vitest|vite|undici|ajv|yaml|hono)\//.test(url))).toEqual([]);
});

test('a run of one check loads the suite file that defines it, and no other', async () => {
  const loaded = await loadedBy('run', '--suite', 'oauth-token', '--grep', 'TOKEN-ISSUE-STATUS/at-the-end');
  const suites = loaded.filter((url) => /\.suite\.js$/.test(url)).map((url) => url.replace(/.*\//, ''));
  expect([...new Set(suites)]).toEqual(['working-at-the-end.suite.js']);
});

test('the version tells suite, catalogues and Node', async () => {
  const { stdout } = await conform(['--version']);
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
    version: string;
  };
  expect(stdout).toMatch(new RegExp(`^api-conformance +${version.replaceAll('.', '\\.')}$`, 'm'));
  expect(stdout).toMatch(/^oauth-token +\d+\.\d+\.\d+\+[0-9a-f]{12}$/m);
  expect(stdout).toContain(process.versions.node);
});

test('bash completes commands and the flags of each', async () => {
  const completion = (await conform(['completion', 'bash'])).stdout;
  const complete = (...words: string[]) =>
    execFileSync(
      'bash',
      [
        '-c',
        `${completion}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _conform; echo "\${COMPREPLY[*]}"`,
        '_',
        ...words,
      ],
      { encoding: 'utf8' },
    ).trim();
  expect(complete('conform', 'ex')).toBe('explain');
  expect(complete('conform', 'run', '--max-w')).toBe('--max-wait');
  expect(complete('conform', 'compare', '--max-w')).toBe('');
});
