/** A run that is stopped in the middle leaves nothing on the target: at once, later, or before the next run. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readJournal } from '../../lib/check/journal/journal.ts';
import { createReference, describeReference, type Handler, listen } from '../../reference/index.ts';
import { conform, type Finished, temporaryFolder } from './conform.ts';

/** A reference, and what is called as each of its addresses is about to be made. */
async function target(
  onCreate: (nth: number) => void | Promise<void>,
): Promise<{ cwd: string; left: () => Promise<number> }> {
  let url = '';
  const { handle } = createReference({ publicUrl: () => url });
  let made = 0;
  const server = await listen(async (request) => {
    if (request.method === 'POST' && new URL(request.url).pathname === '/shipping/api/v1/address_templates') {
      made += 1;
      await onCreate(made);
    }
    return handle(request);
  });
  onTestFinished(() => server.close());
  url = server.url;
  const { shipping, hooks } = describeReference(url, { issuer: 'https://idp.example', key: { kty: 'RSA' } });
  const cwd = temporaryFolder();
  writeFileSync(
    join(cwd, 'targets.yaml'),
    JSON.stringify({ targets: { mine: { shipping, hooks: { clock: hooks.clock } } } }),
  );
  return { cwd, left: () => addresses(handle, shipping) };
}

/** How many addresses there are, asked without the network. */
async function addresses(
  handle: Handler,
  client: { clientId: string; clientSecret: string },
): Promise<number> {
  const base = 'http://127.0.0.1/shipping/api/v1';
  const body = JSON.stringify({
    grant_type: 'client_credentials',
    client_id: client.clientId,
    client_secret: client.clientSecret,
  });
  const headers = { 'content-type': 'application/json' };
  const token = (await (
    await handle(new Request(`${base}/oauth/token`, { method: 'POST', headers, body }))
  ).json()) as {
    access_token: string;
  };
  const authorization = `Bearer ${token.access_token}`;
  const list = await handle(
    new Request(`${base}/address_templates`, { headers: { ...headers, authorization } }),
  );
  return ((await list.json()) as { meta: { total_count: number } }).meta.total_count;
}

/** Runs the address book until the 12th address is about to be made, and then sends the signal. */
async function stoppedBy(
  signal: NodeJS.Signals,
): Promise<{ run: Finished; cwd: string; left: () => Promise<number>; open: () => number }> {
  let stop = (): void => {};
  const { cwd, left } = await target((nth) => {
    if (nth === 12) stop();
  });
  const run = await conform(['run', '--suite', 'address-book', '--seed', '1'], {
    cwd,
    onStart: (child) => {
      stop = () => child.kill(signal);
    },
  });
  return { run, cwd, left, open: () => openIn(cwd) };
}

/** How many entries are open in all journals of tests in a folder. */
function openIn(cwd: string): number {
  const folder = join(cwd, '.state', 'journals');
  return readdirSync(folder).reduce((sum, name) => sum + readJournal(join(folder, name))!.open.length, 0);
}

test('an interrupted run puts everything back, reports what it saw, and is undecided', async () => {
  const { run, cwd, left, open } = await stoppedBy('SIGINT');

  expect(run.stderr).toBe('');
  expect(run.stdout).toContain('interrupted: stopping, then putting things back');
  expect(run.stdout).not.toMatch(/mistake in the suite|not put back/);
  expect(run.code).toBe(3);
  expect(await left()).toBe(0);
  expect(open()).toBe(0);
  expect(existsSync(join(cwd, 'reports', 'mine', 'report.json'))).toBe(true);
  expect(run.stdout).toMatch(/interrupted: \d+ entries of the catalogue had no turn/);
});

test.each([['doctor'], ['run', '--seed', '1']])(
  '%s that is interrupted while it tries the configuration puts it back',
  async (...args) => {
    let stop = (): void => {};
    // The first address is that of the preflight.
    const { cwd, left } = await target(() => stop());
    const done = await conform([...args, '--suite', 'address-book'], {
      cwd,
      onStart: (child) => {
        stop = () => void child.kill('SIGINT');
      },
    });
    expect(done.stdout).toContain('interrupted: stopping, then putting things back');
    expect(done.stdout).not.toMatch(/mistake in the suite|not put back/);
    expect(done.code).toBe(3);
    expect(await left()).toBe(0);
    expect(openIn(cwd)).toBe(0);
  },
);

test('a second signal ends the run at once, whatever it waits for', async () => {
  let [stop, again] = [(): void => {}, (): void => {}];
  const { cwd } = await target((nth) => {
    if (nth !== 12) return undefined;
    stop();
    return new Promise(() => {});
  });
  const run = await conform(['run', '--suite', 'address-book', '--timeout', '100', '--seed', '1'], {
    cwd,
    onStart: (child) => {
      stop = () => void child.kill('SIGINT');
      again = () => void child.kill('SIGTERM');
    },
    onOutput: (text) => {
      if (text.includes('press again')) again();
    },
  });
  expect(run.code).toBe(130);
});

test('what a killed run left is undone by conform clean', async () => {
  const { run, cwd, left, open } = await stoppedBy('SIGKILL');
  expect(run.code).toBeNull();
  expect(await left()).toBeGreaterThan(0);
  const before = open();

  const clean = await conform(['clean'], { cwd });
  expect(clean).toMatchObject({ code: 0, stderr: '' });
  expect(clean.stdout).toContain(`${before} undone, 0 left\n  stays  up to `);

  expect(await left()).toBe(0);
  expect(open()).toBe(0);
});

test('what a killed run left is undone before the next run', async () => {
  const { cwd, left, open } = await stoppedBy('SIGKILL');
  const before = open();
  expect(await left()).toBeGreaterThan(0);

  const next = await conform(['run', '--grep', 'ADDR-READ-STATUS'], { cwd });

  expect(next.stdout).toContain(`left over from an interrupted run: ${before} undone`);
  expect(next.code).toBe(0);
  expect(await left()).toBe(0);
});
