/** One run at a time writes to a folder; the lock of a process that has ended blocks no other run. */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockFolder } from '../../lib/check/journal/lock.ts';
import { stateOf, thisProcess } from '../../lib/check/journal/process.ts';
import { StateFolder } from '../../lib/check/journal/state-folder.ts';
import { stateFolder } from '../../lib/config/state-folder.ts';
import { temporaryFolder } from './conform.ts';

/** The number of a process that has ended. */
function endedProcess(): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['-e', '']);
    child.once('error', reject).once('exit', () => resolve(child.pid!));
  });
}

test('a folder belongs to one run until that releases it', () => {
  const folder = join(temporaryFolder(), 'made', 'here');
  const unlock = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(
    `another run writes there; name another folder with --out (process ${process.pid})`,
  );
  unlock();
  lockFolder(folder)();
  expect(readdirSync(folder)).toEqual([]);
});

test('the lock of a process that has ended is taken over, also when its number was given to another', async () => {
  const folder = temporaryFolder();
  const lock = join(folder, '.conform.lock');
  const dead = { ...thisProcess(), pid: await endedProcess() };
  expect(stateOf(dead)).toBe('ended');
  writeFileSync(lock, JSON.stringify(dead));
  lockFolder(folder)();
  const earlier = { ...thisProcess(), started: 'another boot 1' };
  if (thisProcess().started !== '') {
    writeFileSync(lock, JSON.stringify(earlier));
    lockFolder(folder)();
  }
  expect(existsSync(lock)).toBe(false);
});

test('of a process on another host nobody knows, and a file that is no lock is not removed', () => {
  const folder = temporaryFolder();
  const lock = join(folder, '.conform.lock');
  writeFileSync(lock, JSON.stringify({ ...thisProcess(), host: 'elsewhere' }));
  expect(() => lockFolder(folder)).toThrow(`on elsewhere). If that process is over, remove ${lock}`);
  writeFileSync(lock, 'notes');
  expect(() => lockFolder(folder)).toThrow('not the lock of a run');
  expect(existsSync(lock)).toBe(true);
});

test('the state folder is the user’s own, and tells accounts apart by a key that stays there', () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  const state = new StateFolder(folder);
  expect(statSync(folder).mode & 0o077).toBe(0);
  expect(state.digest('secret')).toBe(new StateFolder(folder).digest('secret'));
  expect(state.digest('secret')).not.toBe(new StateFolder(temporaryFolder()).digest('secret'));
  expect(state.digest('secret')).not.toBe(state.digest('other'));
  expect(statSync(join(folder, 'key')).mode & 0o077).toBe(0);
});

test('a folder that others use is not made private, and none of them may write where journals are', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'letter.txt'), '');
  chmodSync(folder, 0o755);
  new StateFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o755);
  expect(statSync(join(folder, 'journals')).mode & 0o077).toBe(0);
  chmodSync(folder, 0o777);
  expect(() => new StateFolder(folder)).toThrow('others may write there, and it holds other things');
  expect(statSync(folder).mode & 0o777).toBe(0o777);
});

test('a link leads to the state folder, and its own rights say nothing', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'state'), { mode: 0o700 });
  symlinkSync(join(folder, 'state'), join(folder, 'link'));
  const state = new StateFolder(join(folder, 'link'));
  expect(state.digest('a')).toBe(new StateFolder(join(folder, 'state')).digest('a'));
});

test('the state folder is where the user says, else where the desktop does', () => {
  expect(stateFolder({ CONFORM_STATE_DIR: '/own', XDG_STATE_HOME: '/state', HOME: '/home/a' })).toBe('/own');
  expect(stateFolder({ XDG_STATE_HOME: '/state', HOME: '/home/a' })).toBe('/state/api-conformance');
  expect(stateFolder({ XDG_STATE_HOME: 'relative', HOME: '/home/a' })).toBe(
    '/home/a/.local/state/api-conformance',
  );
  expect(stateFolder({ CONFORM_STATE_DIR: '', HOME: '/home/a' })).toBe(
    '/home/a/.local/state/api-conformance',
  );
});
