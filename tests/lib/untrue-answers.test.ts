/** What an answer says was undone is verified: what still exists is reported as left over and stays in the journal. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { markOfRun } from '../../lib/check/journal/format.ts';
import { readJournal } from '../../lib/check/journal/journal.ts';
import type { Handler } from '../../reference/index.ts';
import { MadeRegistrations } from '../../services/agents/cleanup/made-registrations.ts';
import { Seeds } from '../../services/caches/fixtures/seeds.ts';
import { AddressBook } from '../../services/shipping/api/addresses.ts';
import { OAuth } from '../../services/shipping/api/oauth.ts';
import { address, aTarget, clean, leftBy, OPTIONS, running, type Target, untrue } from './cleaning-target.ts';

const isDelete = ({ method }: Request) => method === 'DELETE';
const path = ({ url }: Request) => new URL(url).pathname;

test('addresses: at the end of a run, and in cleaning', async () => {
  const target = await aTarget(untrue(isDelete));
  const { session, context, state, open } = await running(target);
  const book = new AddressBook(context);
  const { id } = await book.create();
  // Its delete is answered with success as well, to a check.
  await book.remove((await book.create()).id);
  const left = await session.close();
  expect(left.join('\n')).toMatch(
    `address ${id} could not be removed: delete answered 200, and it is still there`,
  );
  expect(left.join('\n').match(/still there/g)).toHaveLength((await target.labels()).length);
  expect(open().length).toBeGreaterThan(0);
  const later = await clean(target, state);
  expect(later.left.join('\n').match(/still there/g)).toHaveLength((await target.labels()).length);
  expect(open().length).toBeGreaterThan(0);
});

test('an address without the mark that a check has deleted, as the answer said', async () => {
  let deletes = 0;
  const target = await aTarget(untrue((request) => isDelete(request) && ++deletes === 1));
  const { session, context, file } = await running(target);
  const book = new AddressBook(context);
  const { alias_name: _, ...template } = book.fresh();
  const attributes = { ...template.address_attributes, email: 'ana@example.com' };
  const sent = { alias_name: 'Warehouse', ...template, address_attributes: attributes };
  const created = await book.post({ address_template: sent });
  await book.remove(String(created.at('/data/id')));
  expect(await target.labels()).toEqual(['Warehouse']);
  expect(await session.close()).toEqual([]);
  expect(await target.labels()).toEqual([]);
  expect(readJournal(file)?.open).toEqual([]);
});

test('an address that a gateway answers for with a page of its own', async () => {
  let isGateway = false;
  const target = await aTarget((next) => async (request) => {
    const answer = await next(request);
    if (!isGateway || request.method !== 'POST' || !path(request).endsWith('/address_templates'))
      return answer;
    return new Response('<!doctype html><h1>Sign in</h1>', { headers: { 'content-type': 'text/html' } });
  });
  const { session, context } = await running(target);
  const book = new AddressBook(context);
  await book.create();
  const before = await target.labels();
  isGateway = true;
  const unmarked = book.fresh({ alias_name: 'Warehouse', address_attributes: { email: 'ana@example.com' } });
  for (const fresh of [book.fresh(), unmarked]) await book.post({ address_template: fresh }).catch(() => {});
  expect(await target.labels()).toHaveLength(before.length + 2);
  expect(await session.close()).toEqual([]);
  expect(await target.labels()).toEqual([]);
});

test('an address of somebody else whose id a create gives is neither used nor removed', async () => {
  let foreign = '';
  const target = await aTarget((next) => async (request) => {
    const answer = await next(request);
    if (request.method !== 'POST' || !path(request).endsWith('/address_templates')) return answer;
    const body = (await answer.json()) as { data: { id: string } };
    body.data.id = foreign;
    return Response.json(body, { status: answer.status });
  });
  foreign = await target.create('Home');
  const { session, context } = await running(target);
  const book = new AddressBook(context);
  const { id } = await book.create();
  expect(id).not.toBe(foreign);
  await book.remove(id);
  expect(await target.labels()).toContain('Home');
  expect(await session.close()).toEqual([]);
  expect(await target.labels()).toEqual(['Home']);
});

test('what a run may send is no bound for undoing what it made', async () => {
  const target = await aTarget();
  const { session, context, state } = await running(target);
  for (const _ of [1, 2, 3]) await new AddressBook(context).create();
  await session.http.close();
  expect(await clean(target, state, { options: { ...OPTIONS, maxRequests: 1, maxTimeMs: 0 } })).toMatchObject(
    { left: [] },
  );
  expect(await target.labels()).toEqual([]);
});

test('a list that shows nothing, or is not there, hides no address whose id is known', async () => {
  const empty = { data: [], meta: { current_page: 1, total_pages: 0, per_page: 20, total_count: 0 } };
  const isList = (request: Request) =>
    request.method === 'GET' && path(request).endsWith('/address_templates');
  for (const filter of [
    untrue(isList, empty),
    (next: Handler): Handler =>
      async (request) =>
        isList(request) ? new Response(null, { status: 404 }) : next(request),
  ]) {
    const target = await aTarget(filter);
    const run = randomUUID();
    const alias_name = `Conform ${markOfRun(run)}-1`;
    const id = await target.create(alias_name);
    const { state } = leftBy(target, () => [address({ alias_name, id })], undefined, run);
    expect(await clean(target, state)).toMatchObject({ undone: 1, left: [] });
    expect(target.requests.filter((each) => each.startsWith('DELETE'))).toHaveLength(1);
    // Where the id is not known, nobody can look.
    const other = await target.create(alias_name);
    const entries = () => [address({ alias_name }), address({ alias_name, id: other })];
    const second = leftBy(target, entries, undefined, run);
    expect((await clean(target, second.state)).left.join()).toContain(
      'an address whose create got no answer may be left',
    );
    expect(second.open()).toBe(2);
  }
});

test.each([
  ['the unseed hook', true],
  ['the API', false],
])('caches that %s says it removed', async (_, hook) => {
  const target = await aTarget(untrue((request) => path(request) === '/hooks/unseed' || isDelete(request)));
  const { unseed: __, ...others } = target.target.hooks;
  const { session, state, open } = await running(target, hook ? {} : { hooks: others });
  const repository = { level: 'repository' as const, names: ['Acme-Apps', 'Payments'] };
  const [made] = await new Seeds({ session }).make([{ repository, key: `${session.mark}-a` }]);
  const still = `1 of them are still there: ${made!.id}`;
  expect((await session.close()).join()).toContain(still);
  expect(open()).toHaveLength(1);
  expect((await clean(target, state)).left.join()).toContain(still);
  expect(open()).toHaveLength(1);
});

test.each([
  ['the unseed hook', true],
  ['the API', false],
])('caches that %s does not remove at first', async (_, hook) => {
  let failures = 2;
  const isRemoval = (request: Request) => path(request) === '/hooks/unseed' || isDelete(request);
  const target = await aTarget(
    (next) => async (request) =>
      isRemoval(request) && failures-- > 0 ? new Response('unavailable', { status: 500 }) : next(request),
  );
  const { unseed: __, ...others } = target.target.hooks;
  const { session, open } = await running(target, hook ? {} : { hooks: others });
  const repository = { level: 'repository' as const, names: ['Acme-Apps', 'Payments'] };
  const orders = ['a', 'b'].map((key) => ({ repository, key: `${session.mark}-${key}` }));
  await new Seeds({ session }).make(orders);
  expect(await session.close()).toEqual([]);
  expect(open()).toHaveLength(0);
});

test('caches that the first list of the clean-up lacks', async () => {
  let hidden = 0;
  const isList = (request: Request) => request.method === 'GET' && path(request).endsWith('/actions/caches');
  const target = await aTarget(
    (next) => async (request) =>
      isList(request) && hidden-- > 0 ? Response.json({ total_count: 0, actions_caches: [] }) : next(request),
  );
  const { session, state, open } = await running(target);
  const repository = { level: 'repository' as const, names: ['Acme-Apps', 'Payments'] };
  await new Seeds({ session }).make([{ repository, key: `${session.mark}-a` }]);
  hidden = 1;
  expect(await session.close()).toEqual([]);
  expect(target.requests.filter((each) => each.includes('/hooks/unseed'))).toHaveLength(1);
  expect(open()).toHaveLength(0);
  expect(await clean(target, state)).toMatchObject({ left: [] });
});

test('tokens that are said to be revoked', async () => {
  const target = await aTarget(untrue((request) => path(request).endsWith('/oauth/revoke')));
  const { session } = await running(target);
  for (const _ of [1, 2, 3]) await new OAuth({ session }).issue();
  expect(await session.close()).toEqual([]);
  expect(session.stays.join()).toMatch(
    /^up to 3 access tokens of the first client live until \S+: one that was revoked is still active, says introspection$/,
  );
});

test('tokens whose revocation is refused', async () => {
  const target = await aTarget(
    (next) => async (request) =>
      path(request).endsWith('/oauth/revoke') ? new Response(null, { status: 403 }) : next(request),
  );
  const { session } = await running(target);
  for (const _ of [1, 2]) await new OAuth({ session }).issue();
  await session.close();
  expect(session.stays.join()).toContain('up to 2 access tokens of the first client live until');
});

test('registrations that got no sure answer are told with the others', async () => {
  const target = await aTarget();
  const { agents } = { agents: { baseUrl: 'http://127.0.0.1:1', issuer: 'https://idp.example' } };
  const withAgents = { ...target, target: { ...target.target, agents } } as Target;
  const { session, state, open } = await running(withAgents);
  const made = MadeRegistrations.of(session);
  const answer = (status: number, id?: string) =>
    ({ status, ok: status < 300, at: () => id }) as unknown as Parameters<typeof made.answered>[0];
  for (const each of [answer(201, 'reg_1'), answer(400), answer(502), undefined]) {
    made.announce();
    if (each) made.answered(each);
  }
  const told = '1 registration (reg_1) and up to 2 whose requests got no sure answer stay';
  expect(open()[0]?.detail).toEqual({ count: 1, ids: ['reg_1'], unanswered: 2 });
  expect((await clean(withAgents, state)).stays.join()).toContain(told);
  await session.close();
  expect(session.stays.join()).toContain(told);
});

test('a default address whose id is another address by now is left as it is', async () => {
  const target = await aTarget();
  const ids = [await target.create('Home'), await target.create('Office')];
  await new AddressBook((await running(target)).context).update(ids[0]!, { default: true });
  const { session, context, state, open } = await running(target);
  const book = new AddressBook(context);
  await book.create({ default: true });
  const [entry] = open().filter(({ kind }) => kind === 'shipping.default');
  expect(entry?.detail).toMatchObject({ id: ids[0] });
  expect(JSON.stringify(entry)).not.toContain('Home');
  await book.update(ids[0]!, { alias_name: 'Somebody else’s', default: false });
  const sentence = `address ${ids[0]} was the default before the run, and was changed or is another one now`;
  expect((await session.close()).join()).toContain(sentence);
  expect((await clean(target, state)).left.join()).toContain(sentence);
});
