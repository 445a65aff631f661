/**
 * Only one run at a time changes limits: a second one would
 * take the values of the first for the original ones.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { StateFolder } from '../../lib/check/journal/state-folder.ts';
import { allServices } from '../../lib/check/services.ts';
import { loadTarget } from '../../lib/config/load.ts';
import type { HookConfig, ResolvedTarget, RunOptions } from '../../lib/config/types.ts';
import { type Cleanups, identityOf, loadCleanups } from '../../lib/run/cleanups.ts';
import { RunJournal } from '../../lib/run/run-journal.ts';
import { SettingsLocks } from '../../lib/run/settings-lock.ts';
import { makeTrust } from '../../reference/index.ts';
import { livingReference } from '../disturbances/living-reference.ts';
import { conform, temporaryFile, temporaryFolder } from '../lib/conform.ts';
import { runOptions } from '../lib/run-options.ts';

const OPTIONS: RunOptions = runOptions(['cache-management']);

let cleanups: Cleanups;
beforeAll(async () => {
  cleanups = await loadCleanups();
});

function targetAt(baseUrl: string): ResolvedTarget {
  const targets = { mine: { caches: { baseUrl, token: 'a-token-of-somebody', enterprise: 'acme' } } };
  const file = temporaryFile('targets.yaml', JSON.stringify({ targets }));
  return loadTarget(file, 'mine', {}, allServices()).target;
}

function takenBy(state: StateFolder, baseUrl: string, options = OPTIONS): SettingsLocks {
  const locks = new SettingsLocks(state);
  locks.takeAll(identityOf(targetAt(baseUrl), cleanups, state), cleanups, options);
  onTestFinished(() => locks.release());
  return locks;
}

test('the settings of a service are locked by one run, however its URL is written, until it is over', () => {
  const state = new StateFolder(temporaryFolder());
  const first = takenBy(state, 'https://api.example.com/caches');
  for (const url of ['https://api.example.com/caches/', 'https://API.example.com:443/caches'])
    expect(() => takenBy(state, url), url).toThrow(
      /^another run is changing the settings of caches at \S+; wait until it is over, or leave them out with --effects read,write \(process \d+\)/,
    );
  takenBy(state, 'https://api.example.com/other');
  takenBy(new StateFolder(temporaryFolder()), 'https://api.example.com/caches');
  first.release();
  takenBy(state, 'https://api.example.com/caches');
});

test('a run that changes no settings locks none', () => {
  const state = new StateFolder(temporaryFolder());
  takenBy(state, 'https://api.example.com/caches');
  takenBy(state, 'https://api.example.com/caches', { ...OPTIONS, effects: ['read', 'write'] });
  takenBy(state, 'https://api.example.com/caches', { ...OPTIONS, suites: ['address-book'] });
});

/**
 * Starts two runs at once. The first to send gets no answer before the other has ended with 2, whose message
 * is returned.
 */
async function refusedOfTwo(
  living: Awaited<ReturnType<typeof livingReference>>,
  start: (name: string) => ReturnType<typeof conform>,
): Promise<string> {
  let runs: ReturnType<typeof conform>[] = [];
  living.onRequest(1, false, () => Promise.race(runs));
  runs = [start('one'), start('two')];
  const [done, refused] = (await Promise.all(runs)).sort((a, b) => a.code! - b.code!);
  expect(done, done!.stdout).toMatchObject({ code: 0, stderr: '' });
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  return refused!.stderr;
}

test('of two runs that start at the same instant one ends with 2, and the limits are as they were', {
  timeout: 90_000,
}, async () => {
  const living = await livingReference(await makeTrust());
  const { caches, hooks } = living.configuration;
  const cwd = temporaryFolder();
  const targets = { mine: { caches, hooks: { clock: hooks.clock, seed: hooks.seed, unseed: hooks.unseed } } };
  writeFileSync(join(cwd, 'targets.yaml'), JSON.stringify({ targets }));
  const before = await living.state();
  const flags = ['--effects', 'read,write,settings', '--grep', 'CACHE-*-RETENTION-SET-*', '--seed', '1'];
  const start = (out: string) =>
    conform(['run', '--config', join(cwd, 'targets.yaml'), '--out', join(cwd, out), ...flags], { cwd });
  expect(await refusedOfTwo(living, start)).toMatch(/another run is changing the settings of caches at http/);
  expect(await living.state()).toEqual(before);
});

test('a clock is moved by one run at a time, whichever suites and targets it is for', () => {
  const state = new StateFolder(temporaryFolder());
  const taken = (hook: HookConfig) => {
    const locks = new SettingsLocks(state);
    locks.takeClock(hook);
    onTestFinished(() => locks.release());
    return locks;
  };
  const first = taken({ url: 'https://api.example.com/test/clock' });
  expect(() => taken({ url: 'https://API.example.com:443/test/clock' })).toThrow(
    /^another run may move the clock of this target by `hooks.clock`; wait until it is over.* \(process \d+\)/,
  );
  taken({ url: 'https://api.example.com/other/clock' });
  taken({ command: ['node', 'clock.mjs'] });
  expect(() => taken({ command: ['node', 'clock.mjs'] })).toThrow(/another run may move the clock/);
  first.release();
  taken({ url: 'https://api.example.com/test/clock' });
});

test('a second run with the same clock hook ends with 2 and has sent nothing', async () => {
  const living = await livingReference(await makeTrust());
  const { shipping, caches, hooks } = living.configuration;
  const cwd = temporaryFolder();
  const target = { shipping, hooks: { clock: hooks.clock } };
  const targets = { one: target, two: { ...target, shipping: undefined, caches } };
  writeFileSync(join(cwd, 'targets.yaml'), JSON.stringify({ targets }));
  const start = (name: string) =>
    conform(['run', '--target', name, '--config', join(cwd, 'targets.yaml'), '--grep', '*-STATUS'], { cwd });
  expect(await refusedOfTwo(living, start)).toMatch(
    /another run may move the clock of this target by `hooks.clock`/,
  );
}, 90_000);

test('a run releases the settings at its end', async () => {
  const folder = temporaryFolder();
  const earlier = process.env.CONFORM_STATE_DIR;
  process.env.CONFORM_STATE_DIR = folder;
  onTestFinished(() => {
    if (earlier === undefined) delete process.env.CONFORM_STATE_DIR;
    else process.env.CONFORM_STATE_DIR = earlier;
  });
  const target = targetAt('https://api.example.com/caches');
  const first = await RunJournal.open(target, OPTIONS);
  await expect(RunJournal.open(target, OPTIONS)).rejects.toThrow('another run is changing the settings');
  first!.close();
  (await RunJournal.open(target, OPTIONS))!.close();
});
