/** Limits that a run leaves changed, or that another user may have changed meanwhile, are reported and not touched. */
import { expect, test } from 'vitest';
import { Limits } from '../../services/caches/limits/limits.ts';
import { aTarget, clean, running, untrue } from './cleaning-target.ts';

test('a limit that is said to be put back', async () => {
  let isUntrue = false;
  const target = await aTarget(untrue(({ method }) => isUntrue && method === 'PUT'));
  const before = await target.limit.get();
  const { session, state, open } = await running(target);
  const limits = new Limits({ session });
  await limits.set({ level: 'repository', names: ['Acme-Apps', 'Payments'] }, 'storage', 5);
  isUntrue = true;
  const left = `the storage limit of the repository Acme-Apps/Payments was ${before} and is 5`;
  expect((await session.close()).join()).toContain(left);
  expect(open().length).toBeGreaterThan(0);
  expect((await clean(target, state)).left.join()).toContain(left);
  expect(open().length).toBeGreaterThan(0);
});

test('a limit that somebody changes while a malformed setting of the run is open is left as it is', async () => {
  let answers = true;
  const target = await aTarget((next) => async (request) => {
    if (answers || request.method !== 'PUT') return next(request);
    return new Response(null, { status: 503 });
  });
  const place = { level: 'repository' as const, names: ['Acme-Apps', 'Payments'] };
  const { session, open } = await running(target);
  const limits = new Limits({ session });
  answers = false;
  await limits.put(place, 'storage', { json: { max_cache_size_gb: 'many' } }).catch(() => {});
  expect(open().find(({ detail }) => detail.malformed)).toBeDefined();
  answers = true;
  await target.limit.set(7);
  expect((await session.close()).join()).toContain('is 7 now, which the run did not set');
  expect(await target.limit.get()).toBe(7);
});

test('a limit that somebody changes before the run sets it returns to that value', async () => {
  const target = await aTarget();
  const [first, second] = [
    ['Acme-Apps', 'Ledger'],
    ['Acme-Apps', 'Payments'],
  ] as const;
  const { session, open, state } = await running(target);
  const limits = new Limits({ session });
  await limits.set({ level: 'repository', names: [...first] }, 'storage', 5);
  await target.limit.set(7);
  await limits.set({ level: 'repository', names: [...second] }, 'storage', 6);
  expect(open().map(({ detail }) => detail)).toContainEqual(
    expect.objectContaining({ names: [...second], value: 7, set: [6] }),
  );
  expect(await clean(target, state)).toMatchObject({ left: [] });
  expect(await target.limit.get()).toBe(7);
  await session.close();
});

test('what a malformed setting was seen to come to is put back', async () => {
  const target = await aTarget((next) => async (request) => {
    if (request.method !== 'PUT' || !(await request.clone().text()).includes('many')) return next(request);
    await target.limit.set(3);
    return Response.json({});
  });
  const place = { level: 'repository' as const, names: ['Acme-Apps', 'Payments'] };
  const { session, open, state } = await running(target);
  const before = await target.limit.get();
  const limits = new Limits({ session });
  await limits.put(place, 'storage', { json: { max_cache_size_gb: 'many' } });
  expect(await limits.inForce(place, 'storage')).toBe(3);
  expect(open().map(({ detail }) => detail)).toContainEqual(
    expect.objectContaining({ ...place, kind: 'storage', set: [3], malformed: false }),
  );
  expect(await clean(target, state)).toMatchObject({ left: [] });
  expect(await target.limit.get()).toBe(before);
  await session.close();
});
