/** A configuration that was only found in the folder may start no programs and write nowhere else. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conformHere, temporaryFolder } from '../lib/conform.ts';

/** Makes a folder with a configuration whose target does not answer; `more` is added to the target's keys. */
function folderWith(more: object): { cwd: string; env: { CONFORM_STATE_DIR: string } } {
  const cwd = temporaryFolder();
  const shipping = { baseUrl: 'http://127.0.0.1:9', clientId: 'me', clientSecret: 'not-a-real-secret' };
  writeFileSync(join(cwd, 'targets.yaml'), JSON.stringify({ targets: { mine: { shipping, ...more } } }));
  return { cwd, env: { CONFORM_STATE_DIR: temporaryFolder() } };
}

/** A hook that creates a file in its working directory. */
const HOOK = { clock: { command: ['node', '-e', 'require("fs").writeFileSync("started", "")'] } };
const RUN = ['run', '--grep', 'ADDR-READ-STATUS', '--timeout', '1'];

test('a hook of a configuration that was not named starts no program', async () => {
  const { cwd, env } = folderWith({ hooks: HOOK });
  const { code, stderr } = await conformHere(RUN, { cwd, env });
  expect(code).toBe(2);
  expect(stderr).toContain('targets.yaml starts programs: hooks.clock (node)');
  expect(stderr).toContain('conform trust');
  expect(() => readFileSync(join(cwd, 'started'))).toThrow();
});

test('a named configuration and one in a trusted folder may start programs', async () => {
  const named = folderWith({ hooks: HOOK });
  expect((await conformHere([...RUN, '--config', 'targets.yaml'], named)).stderr).not.toContain(
    'starts programs',
  );
  const trusted = folderWith({ hooks: HOOK });
  expect((await conformHere(['trust'], trusted)).code).toBe(0);
  expect((await conformHere(RUN, trusted)).stderr).not.toContain('starts programs');
  // The trust applies to that folder only.
  const other = folderWith({ hooks: HOOK });
  expect((await conformHere(RUN, { ...other, env: trusted.env })).code).toBe(2);
});

test.each([
  ['run.out', () => ({ run: { out: temporaryFolder() } })],
  ['run.out', () => ({ run: { out: '../elsewhere' } })],
  ['run.knownFailures', () => ({ run: { knownFailures: '/etc/passwd' } })],
])('%s of a configuration that was not named stays inside of the folder', async (key, more) => {
  const { code, stderr } = await conformHere(RUN, folderWith(more()));
  expect(code).toBe(2);
  expect(stderr).toContain(`${key}: `);
  expect(stderr).toContain('outside of the working folder');
});

test('a link does not lead the reports outside', async () => {
  const folder = folderWith({});
  mkdirSync(join(folder.cwd, 'reports'));
  symlinkSync(temporaryFolder(), join(folder.cwd, 'reports', 'mine'));
  const { code, stderr } = await conformHere(RUN, folder);
  expect(code).toBe(2);
  expect(stderr).toContain('outside of the working folder');
});

test('a line of a file that is no list of ids is not shown', async () => {
  const folder = folderWith({});
  writeFileSync(join(folder.cwd, 'known.txt'), 'root:x:0:0:root:/root:/bin/bash\n');
  const { code, stderr } = await conformHere([...RUN, '--known-failures', 'known.txt'], folder);
  expect(code).toBe(2);
  expect(stderr).toContain('known.txt is not a baseline');
  expect(stderr).not.toContain('root:x');
});
