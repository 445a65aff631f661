/** Cleaning touches nothing but what the run made, on the target that it made it on. */
import { randomUUID } from 'node:crypto';
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { markOfRun } from '../../lib/check/journal/format.ts';
import { thisProcess } from '../../lib/check/journal/process.ts';
import { Session } from '../../lib/check/session.ts';
import { OAuth } from '../../services/shipping/api/oauth.ts';
import { address, aTarget, changed, clean, leftBy, OPTIONS, type Target } from './cleaning-target.ts';
import { conformHere, temporaryFolder } from './conform.ts';

test('the journal of another target is not touched, and the message says whose it is', async () => {
  const [a, b] = [await aTarget(), await aTarget()];
  const { state, open } = leftBy(a, () => [changed(10, [5]), address({ alias_name: 'x' })]);
  const result = await clean(b, state);
  expect(b.requests).toEqual([]);
  expect(result).toMatchObject({ undone: 0, left: [] });
  expect(result.others.join()).toContain(`2 entries of a run`);
  expect(result.others.join()).not.toContain('--renewed-token');
  expect(result.others.join()).toContain(
    `another target's (mine: caches at ${new URL('/caches', (a.target.caches as { baseUrl: string }).baseUrl)}`,
  );
  expect(open()).toBe(2);
});

test('so is the journal of another account, until the user says that the token was renewed', async () => {
  const target = await aTarget();
  await target.limit.set(5);
  const { state } = leftBy(target, () => [changed(10, [5])]);
  const { caches } = target.target;
  const renewed = { ...target, target: { ...target.target, caches: { ...caches!, token: 'fine-full' } } };
  const others = (await clean(renewed, state)).others.join();
  expect(others).toMatch(/with another account.*conform clean --renewed-token undoes them/);
  expect(await target.limit.get()).toBe(5);
  expect(await clean(renewed, state, { renewedToken: true })).toMatchObject({ undone: 1, left: [] });
  expect(await target.limit.get()).toBe(10);
});

test('an address that does not carry the mark of the run stays, and nothing else is touched from there on', async () => {
  const target = await aTarget();
  const run = randomUUID();
  const own = `Conform ${markOfRun(run)}-1`;
  await target.create(own);
  const id = await target.create('Home');
  const entries = () => [address({ alias_name: own }), address({ alias_name: own, id }), changed(10, [5])];
  await target.limit.set(5);
  const { state, open } = leftBy(target, entries, undefined, run);
  const result = await clean(target, state);
  expect(result.left.join()).toContain(`address ${id} does not carry the mark ${markOfRun(run)}`);
  expect(await target.labels()).toEqual([own, 'Home']);
  expect(open()).toBeGreaterThan(0);
});

test('what was sent and not answered is found by the mark, and what the second client made is removed as it', async () => {
  const target = await aTarget();
  const run = randomUUID();
  const label = (n: number) => `Conform ${markOfRun(run)}-${n}`;
  // Twice, as when a request is delivered twice.
  for (const n of [1, 1]) await target.create(label(n));
  const id = await target.create(label(2), target.second as never);
  await target.create('Conform office', target.second as never);
  const { state, file } = leftBy(
    target,
    () => [
      { kind: 'shipping.addresses', account: 'first', detail: {} },
      address({ alias_name: label(1) }),
      address({ alias_name: label(2), id }, 'second'),
    ],
    undefined,
    run,
  );
  expect(await clean(target, state)).toMatchObject({ undone: 3, left: [], others: [] });
  expect(await target.labels()).toEqual([]);
  expect(await target.labels(target.second as never)).toEqual(['Conform office']);
  expect(existsSync(file)).toBe(false);
});

test('cleaning obeys the permitted effects', async () => {
  const target = await aTarget();
  const { state, open } = leftBy(target, () => [changed(10, [5])]);
  const result = await clean(target, state, { options: { ...OPTIONS, effects: ['read'] } });
  expect(target.requests).toEqual([]);
  expect(result.withheld.join()).toContain('conform clean --effects read,write,settings');
  expect(open()).toBe(1);
});

test('a limit that somebody else has changed since is left as it is', async () => {
  const target = await aTarget();
  const { state, open } = leftBy(target, () => [changed(10, [5])]);
  await target.limit.set(7);
  expect((await clean(target, state)).left.join()).toContain(
    'was 10 before the run and is 7 now, which the run did not set',
  );
  expect(await target.limit.get()).toBe(7);
  expect(target.requests.filter((each) => each.startsWith('PUT'))).toEqual([]);
  expect(open()).toBe(1);
});

test('a limit is written before it is read, and read until a late setting is undone', async () => {
  let puts = 0;
  let late: Promise<unknown> | undefined;
  const target: Target = await aTarget((next) => async (request) => {
    const response = next(request);
    if (request.method !== 'PUT') return response;
    puts += 1;
    // The setting of the run that got no answer is carried out after the first attempt to put the limit back.
    if (puts === 1)
      late = response
        .then(() => new Promise((done) => setTimeout(done, 400)))
        .then(() => target.limit.set(5));
    return response;
  });
  await target.limit.set(10);
  const { state, file } = leftBy(target, () => [changed(10, [5], { lost: true })]);
  // At first it reads as before the run: after a single read the journal would have been closed too early.
  expect(await target.limit.get()).toBe(10);
  expect(await clean(target, state)).toMatchObject({ undone: 1, left: [] });
  await late;
  expect(await target.limit.get()).toBe(10);
  expect(puts).toBeGreaterThan(1);
  expect(existsSync(file)).toBe(false);
});

test('a gateway that answers every other read in the place of the target keeps nothing from being put back', async () => {
  let reads = 0;
  const target = await aTarget((next) => async (request) => {
    if (request.method !== 'GET') return next(request);
    reads += 1;
    return reads % 2 === 1 ? new Response('<h1>Bad gateway</h1>', { status: 502 }) : next(request);
  });
  const run = randomUUID();
  await target.limit.set(5);
  const label = `Conform ${markOfRun(run)}-1`;
  const id = await target.create(label);
  const entries = () => [changed(10, [5]), address({ alias_name: label, id })];
  const { state, file } = leftBy(target, entries, undefined, run);
  expect(await clean(target, state)).toMatchObject({ undone: 2, left: [] });
  expect(await target.limit.get()).toBe(10);
  expect(existsSync(file)).toBe(false);
});

test('the journal of a run that is still going on is not touched', async () => {
  const target = await aTarget();
  const { state, open } = leftBy(target, () => [changed(10, [5])], thisProcess());
  expect((await clean(target, state)).others.join()).toContain(`goes on (process ${process.pid})`);
  expect(target.requests).toEqual([]);
  expect(open()).toBe(1);
});

test('a journal that lies in a folder of reports, as one of a cloned repository does, is not read', async () => {
  const target = await aTarget();
  const { file } = leftBy(target, () => [changed(10, [5])]);
  await target.limit.set(5);
  const cwd = temporaryFolder();
  for (const name of [basename(file), 'journal.jsonl']) {
    mkdirSync(join(cwd, 'reports', 'mine'), { recursive: true });
    for (const folder of [cwd, join(cwd, 'reports'), join(cwd, 'reports', 'mine')])
      copyFileSync(file, join(folder, name));
  }
  const { caches, hooks } = target.target;
  writeFileSync(join(cwd, 'targets.yaml'), JSON.stringify({ targets: { mine: { caches, hooks } } }));
  const { stdout, code } = await conformHere(['clean'], { cwd });
  expect({ stdout, code }).toEqual({ stdout: 'nothing to undo on mine\n', code: 0 });
  expect(target.requests).toEqual([]);
  expect(await target.limit.get()).toBe(5);
});

test('cleaning that takes too long says what is left, and its entries stay open', async () => {
  const target = await aTarget(() => () => new Promise(() => {}));
  const { state, open } = leftBy(target, () => [changed(10, [5]), changed(10, [5])]);
  const result = await clean(target, state, { limitMs: 1 });
  expect(result.left).toEqual(['given up after 0 s, with 2 entries left']);
  expect(open()).toBe(2);
});

test('the settings that a run on another host holds are undone once the user says that it is over', async () => {
  const target = await aTarget();
  const before = await target.limit.get();
  const elsewhere = { ...thisProcess(), host: 'elsewhere' };
  const { state, file } = leftBy(target, () => [changed(before, [5])], elsewhere);
  const { baseUrl } = target.target.caches as { baseUrl: string };
  const lock = state.settingsLock('caches', baseUrl);
  await target.limit.set(5);
  const onlyRun = basename(file, '.jsonl');
  // The lock is held by another run on that host.
  writeFileSync(lock, JSON.stringify({ ...elsewhere, pid: 1, id: 'x' }));
  expect((await clean(target, state, { onlyRun })).left.join()).toContain(
    'another run is changing the settings',
  );
  expect(await target.limit.get()).toBe(5);
  writeFileSync(lock, JSON.stringify({ ...elsewhere, id: 'x' }));
  expect((await clean(target, state)).others.join()).toContain('if it is over, conform clean --run');
  expect(await clean(target, state, { onlyRun })).toMatchObject({ undone: 1, left: [] });
  expect(await target.limit.get()).toBe(before);
  expect(existsSync(lock)).toBe(false);
});

test('a journal of 100,000 lines is read, and what cannot be read as one is said', async () => {
  const target = await aTarget();
  let mark = '';
  const { state, file, open } = leftBy(target, (header) => {
    mark = header.mark;
    return [address({ alias_name: 'x' })];
  });
  const line = (n: number) =>
    `${JSON.stringify({ do: 'open', n, kind: 'shipping.address', account: 'first', mark, detail: {} })}\n{"do":"done","n":${n}}\n`;
  appendFileSync(file, Array.from({ length: 50_000 }, (_, i) => line(i + 2)).join(''));
  expect(open()).toBe(1);
  mkdirSync(join(dirname(file), 'a-folder.jsonl'));
  const result = await clean(target, state);
  expect(result).toMatchObject({ undone: 1 });
  expect(result.left.join()).toMatch(/^a journal cannot be read \(EISDIR/);
});

test('damaged lines are said and kept, and what can be read is undone', async () => {
  const target = await aTarget();
  const { state, file } = leftBy(target, () => [changed(10, [5])]);
  await target.limit.set(5);
  appendFileSync(file, 'noise\n');
  const result = await clean(target, state);
  expect(result).toMatchObject({ undone: 1 });
  expect(result.left.join()).toContain('1 lines of the journal cannot be read');
  expect(await target.limit.get()).toBe(10);
  expect(state.journals()).toEqual([]);
  const folder = join(file, '..', '..', 'damaged');
  expect(readdirSync(folder)).toHaveLength(1);
  writeFileSync(file, 'noise\n');
  expect((await clean(target, state)).left.join()).toContain('no header that can be read');
});

test('an entry that names no limit is not followed', async () => {
  const target = await aTarget();
  const { state, open } = leftBy(target, () => [{ ...changed(10, [5]), detail: { level: 'galaxy' } }]);
  expect((await clean(target, state)).left).toHaveLength(1);
  expect(target.requests).toEqual([]);
  expect(open()).toBe(1);
});

test('tokens are revoked at the end, unless the target gives the same one again and again', async () => {
  for (const shared of [false, true]) {
    let kept: Promise<Response> | undefined;
    const target = await aTarget((next) => async (request) => {
      if (!shared || !new URL(request.url).pathname.endsWith('/oauth/token')) return next(request);
      kept ??= Promise.resolve(next(request));
      return (await kept).clone();
    });
    const session = await Session.open({ runId: randomUUID(), target: target.target, options: OPTIONS });
    const oauth = new OAuth({ session });
    const tokens = [await oauth.issue(), await oauth.issue(), await oauth.issue(oauth.secondClient)];
    expect(await session.close()).toEqual([]);
    const revocations = target.requests.filter((each) => each.endsWith('/oauth/revoke'));
    // A single token of a client may be one that others use as well.
    expect(revocations).toHaveLength(shared ? 0 : 2);
    const later = await Session.open({ runId: randomUUID(), target: target.target, options: OPTIONS });
    const active = await Promise.all(
      tokens
        .slice(0, 2)
        .map(async ({ value }) => (await new OAuth({ session: later }).introspect(value)).at('/active')),
    );
    expect(active).toEqual([shared, shared]);
    await later.close();
  }
});
