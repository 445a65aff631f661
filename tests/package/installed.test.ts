/** The package as a new user has it: packed, installed into an empty folder, run there. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allCatalogues } from '../../lib/model/catalogue/registry.ts';
import { packageRoot } from '../../lib/model/paths.ts';
import type { RunReport } from '../../lib/model/results.ts';
import { type Finished, running } from '../lib/conform.ts';

const SEVERAL_MINUTES = 480_000;

/** No warnings about the configuration of npm, which is not ours. */
const QUIET = { npm_config_loglevel: 'error' };

/** Outside of the repository, so that nothing is found in its node_modules. */
let folder = '';
/** Paths in the tarball, below `package/`. */
let packed: string[] = [];

beforeAll(async () => {
  const outside = mkdtempSync(join(tmpdir(), 'conform-package-'));
  folder = join(outside, 'app');
  mkdirSync(folder);
  // Built before the tests, so that files that other tests use are not rebuilt meanwhile.
  const pack = await npm(
    ['pack', '--ignore-scripts', '--json', '--pack-destination', outside],
    packageRoot(),
  );
  const [tarball] = JSON.parse(pack.stdout) as { filename: string; files: { path: string }[] }[];
  packed = tarball!.files.map((file) => file.path);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await npm(['install', ...flags, join(outside, tarball!.filename)], folder);
}, SEVERAL_MINUTES);

afterAll(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

async function npm(args: string[], cwd: string): Promise<Finished> {
  const done = await running('npm', args, { cwd, timeoutMs: SEVERAL_MINUTES });
  if (done.code !== 0) throw new Error(`npm ${args[0]} ended with ${done.code}\n${done.stderr}`);
  return done;
}

/** What the installation made of the package's `bin`. */
const BIN = join('node_modules', '.bin', 'conform');

const conform = (args: string[]): Promise<Finished> =>
  running(join(folder, BIN), args, { cwd: folder, timeoutMs: SEVERAL_MINUTES });

test('the tarball holds what runs and nothing that only builds or tests', () => {
  for (const path of [
    'bin/conform.js',
    'dist/catalogues.json',
    'dist/checks.json',
    'CHANGELOG.md',
    'targets.yaml',
    'LICENSE',
    'schemas/targets.schema.json',
  ]) {
    expect(packed).toContain(path);
  }
  const strange = packed.filter((path) =>
    /^(tests|bench|lib\/.*\.ts|suites\/.*\.ts|\.ci|ci|\.github|node_modules)|\.tsbuildinfo$|\.vite\//.test(
      path,
    ),
  );
  expect(strange).toEqual([]);
});

test('what is installed is at most 60 MB in 90 packages', () => {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, unknown>;
  };
  const modules = join(folder, 'node_modules');
  const there = Object.keys(packages).filter((path) => path !== '' && existsSync(join(folder, path)));
  expect(there.length).toBeLessThanOrEqual(90);
  const bytes = readdirSync(modules, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  expect(bytes).toBeLessThanOrEqual(60_000_000);
});

test(
  'conform run tests the embedded reference with some checks of every suite, as the plan chooses them',
  async () => {
    const { code, stdout, stderr } = await conform(['run', '--budget', '150']);

    expect(stderr).toBe('');
    expect(stdout).not.toContain('mistake in the suite');
    const report = JSON.parse(
      readFileSync(join(folder, 'reports', 'reference', 'report.json'), 'utf8'),
    ) as RunReport;
    for (const { name, totals } of report.suites) expect(totals.exercised, name).toBeGreaterThan(0);
    expect(report.suites.map((suite) => suite.name)).toEqual([...allCatalogues().keys()]);
    expect(report.checks.filter((check) => check.verdict === 'failed').map((check) => check.reason)).toEqual(
      [],
    );
    expect(code).toBe(0);
    for (const file of ['junit.xml', 'index.html', 'summary.md']) {
      expect(existsSync(join(folder, 'reports', 'reference', file)), file).toBe(true);
    }
  },
  SEVERAL_MINUTES,
);

test('conform list and explain know the catalogue and the checks', async () => {
  const list = await conform(['list', '--suite', 'oauth-token', '--covered', '--json']);
  expect(list).toMatchObject({ code: 0, stderr: '' });
  const rows = JSON.parse(list.stdout) as { id: string; checks: string[] }[];
  expect(rows.find((row) => row.id === 'TOKEN-EXPIRY')?.checks).toContain('TOKEN-EXPIRY');

  const explain = await conform(['explain', 'TOKEN-EXPIRY']);
  expect(explain).toMatchObject({ code: 0, stderr: '' });
  expect(explain.stdout).toMatch(/^TOKEN-EXPIRY {2}/);
  expect(explain.stdout).toContain("conform run --grep 'TOKEN-EXPIRY'");
});

test('npx runs it', async () => {
  const options = { cwd: folder, env: QUIET, timeoutMs: SEVERAL_MINUTES };
  const { code, stdout, stderr } = await running('npx', ['--no-install', 'conform', '--version'], options);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^api-conformance /m);
});

test('a targets.yaml in the folder is used', async () => {
  writeFileSync(
    join(folder, 'targets.yaml'),
    'targets:\n  ours:\n    title: Found in the folder\n    embedded: true\n',
  );
  const { code, stdout, stderr } = await conform(['run', '--grep', 'TOKEN-ISSUE-STATUS']);
  expect(stderr).toBe('');
  expect(stdout).toContain('Found in the folder');
  expect(code).toBe(0);
  expect(existsSync(join(folder, 'reports', 'ours', 'report.json'))).toBe(true);
});

test('a run without one of the suite files says so, and does not begin', async () => {
  const built = join(folder, 'node_modules', 'api-conformance', 'dist', 'suites', 'address-book');
  const [file] = readdirSync(built).filter((name) => name.endsWith('.suite.js'));
  const path = join(built, file!);
  const text = readFileSync(path);
  rmSync(path);
  try {
    const { code, stderr } = await conform(['run']);
    expect(code).toBe(2);
    expect(stderr).toContain(
      `the built file of suites/address-book/${file!.replace('.js', '.ts')} is missing`,
    );
  } finally {
    writeFileSync(path, text);
  }
});
