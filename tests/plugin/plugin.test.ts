/** A fourth service, written as a plugin: `run`, `list`, `explain` and `prove` find it by its folder. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { packageRoot } from '../../lib/model/paths.ts';
import { conform, conformHere, running, temporaryFile, temporaryFolder } from '../lib/conform.ts';

const FOLDER = join(packageRoot(), 'tests', 'plugin');
const CONFIG = join(FOLDER, 'targets.yaml');
const SUITE = ['--suite', 'note-keeping'];

test('run reports its requirements', async () => {
  const { code, stdout, stderr } = await conform([
    'run',
    '--config',
    CONFIG,
    ...SUITE,
    '--out',
    temporaryFolder(),
  ]);
  expect(stderr).toBe('');
  expect(stdout).toContain('8 of 8 requirements exercised, 8 hold, 1 silence');
  expect(code).toBe(0);
});

test('run gives a plugin this package, whatever copy of it is installed beside the plugin', async () => {
  const cwd = temporaryFolder();
  cpSync(join(FOLDER, 'notes'), join(cwd, 'notes'), { recursive: true });
  const other = join(cwd, 'node_modules', 'api-conformance');
  mkdirSync(other, { recursive: true });
  writeFileSync(join(cwd, 'package.json'), '{"type":"module"}');
  writeFileSync(join(other, 'package.json'), '{"type":"module","exports":{".":"./x.js","./suite":"./x.js"}}');
  writeFileSync(join(other, 'x.js'), 'throw new Error("another copy");');
  writeFileSync(join(cwd, 'targets.yaml'), readFileSync(CONFIG));
  const { stderr, code } = await conform(['run', '--config', 'targets.yaml', ...SUITE], { cwd });
  expect(stderr).toBe('');
  expect(code).toBe(0);
});

test('a reference that does not start is told, and nothing is reported', async () => {
  const cwd = temporaryFolder();
  cpSync(join(FOLDER, 'notes'), join(cwd, 'notes'), { recursive: true });
  writeFileSync(join(cwd, 'package.json'), '{"type":"module"}');
  writeFileSync(join(cwd, 'targets.yaml'), readFileSync(CONFIG));
  writeFileSync(
    join(cwd, 'notes', 'reference', 'index.js'),
    'export async function startReference() { throw new Error("the notes are locked"); }',
  );
  const { stderr, code } = await conform(['run', '--config', 'targets.yaml', ...SUITE], { cwd });
  expect(stderr).toContain('the notes are locked');
  expect(code).not.toBe(0);
});

test('list shows them', async () => {
  const list = await conform(['list', '--config', CONFIG, ...SUITE, '--json']);
  expect(JSON.parse(list.stdout)).toHaveLength(10);
});

test('explain shows them', async () => {
  const explained = await conform(['explain', '--config', CONFIG, 'NOTE-DELETE-GONE']);
  expect(explained.stdout).toContain('After a deletion the note cannot be read.');
  expect(explained.stdout).toContain('note-keeping (Keeping notes)');
  expect(explained.stdout).toContain(`conform run --config ${CONFIG} --grep 'NOTE-DELETE-GONE'`);
  expect(explained.stdout).toMatch(
    /checks +NOTE-DELETE-GONE +tests\/plugin\/notes\/suites\/\S+\.suite\.js:\d+\n/,
  );
});

test('prove catches every deviation, and nothing else is blamed', async () => {
  const { stdout, code } = await conform([
    'prove',
    '--config',
    CONFIG,
    ...SUITE,
    '--jobs',
    '1',
    '--out',
    temporaryFolder(),
  ]);
  expect(stdout).toContain(
    'deviations    5 (5 by hand, 0 generated): 5 caught, 0 requirements survive, over-blame 0',
  );
  expect(stdout).toContain('requirements  8 of 8 required');
  expect(stdout).toContain('trivial       1 server: 0 passes');
  expect(code).toBe(0);
});

test('without its configuration the service does not exist', async () => {
  const { stderr, code } = await conformHere(['list', ...SUITE]);
  expect(stderr).toContain('no suite `note-keeping`');
  expect(code).toBe(2);
});

test('a configuration that was only found in the folder loads no code', async () => {
  const cwd = join(
    temporaryFile('targets.yaml', `plugins: [${FOLDER}/notes]\ntargets: { a: { embedded: true } }`),
    '..',
  );
  const { stderr, code } = await conformHere(['run'], { cwd });
  expect(stderr).toBe(
    'conform: targets.yaml:1: plugins: a configuration that was found in the folder and not named loads no code: name it with --config targets.yaml, or trust the folder once with `conform trust`\n',
  );
  expect(code).toBe(2);
});

test('a program runs it and hears of every check', async () => {
  const program = `
    import { loadTarget, run } from 'api-conformance';
    const { target } = await loadTarget(${JSON.stringify(CONFIG)});
    const heard = [];
    const report = await run(target, {
      suites: ['note-keeping'],
      seed: 1,
      events: { start: ({ notes }) => heard.push(typeof notes.baseUrl), check: ({ id }) => heard.push(id) },
    });
    console.log(JSON.stringify({ heard, summary: report.summary, text: JSON.stringify(report) }));
  `;
  const { stdout, stderr } = await running(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: packageRoot(),
  });
  expect(stderr).toBe('');
  const { heard, summary, text } = JSON.parse(stdout);
  expect(heard).toHaveLength(10);
  expect(heard.slice(0, 2)).toEqual(['string', 'NOTE-CREATE-STATUS']);
  expect(summary).toBe('8 of 8 requirements exercised, 8 hold');
  expect(text).not.toContain('reference-note-token');
});

test('a run from a program is stopped by a signal, and writes its reports', async () => {
  const out = temporaryFolder();
  // The server answers in the thread that hears of checks, so that the run cannot end before it is stopped.
  const program = `
    import { loadTarget, run } from 'api-conformance';
    import { startReference } from ${JSON.stringify(pathToFileURL(join(FOLDER, 'notes', 'reference', 'index.js')).href)};
    const { target: embedded } = await loadTarget(${JSON.stringify(CONFIG)});
    const server = await startReference({ port: 0 });
    const target = { ...embedded, ...server.description.services, embedded: false };
    const stop = new AbortController();
    let files;
    const report = await run(target, {
      suites: ['note-keeping'],
      out: ${JSON.stringify(out)},
      signal: stop.signal,
      events: { check: () => stop.abort(), end: (end) => { files = end.files.length; } },
    });
    await server.close();
    console.log(JSON.stringify({ interrupted: report.interrupted, exitCode: report.exitCode, files }));
  `;
  const { stdout, stderr } = await running(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: packageRoot(),
  });
  expect(stderr).toBe('');
  const { interrupted, exitCode, files } = JSON.parse(stdout);
  expect(interrupted.withoutTurn).toBeGreaterThan(0);
  expect(exitCode).toBe(3);
  expect(files).toBe(readdirSync(out).length);
});

test('its declarations serve a program in TypeScript', async () => {
  const compiler = join(packageRoot(), 'node_modules', 'typescript', 'bin', 'tsc');
  const { code, stdout } = await running(process.execPath, [compiler, '-p', join(FOLDER, 'tsconfig.json')]);
  expect(stdout).toBe('');
  expect(code).toBe(0);
});
