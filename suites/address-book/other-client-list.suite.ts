/** 4.1: what the list of one client shows of another's, and what a list without parameters shows of changes. */
import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { AddressBook, idOf, requirementOfId, shows } from '../../services/shipping/api/addresses.ts';
import { OAuth } from '../../services/shipping/api/oauth.ts';
import { keyOf, pageOf } from '../../services/shipping/api/pages.ts';
import { check, type SuiteContext } from './suite.ts';

const writeCheck = check.with({ effects: 'write', needs: ['shipping.secondClient'] });

/** Returns the item with this id, in either letter case, on a page. */
const itemOn = (answer: Answer, id: string) =>
  pageOf(answer).items.find((item) => keyOf(item) === id.toLowerCase());

/** Saves an address as the second client, and returns its id, its label and that client's token. */
async function ofOther(context: SuiteContext) {
  const book = new AddressBook(context);
  const auth = await new OAuth(context).issue(context.oauth.secondClient);
  const sent = book.fresh();
  const answer = await book.post({ address_template: sent }, 'create as another client', { auth });
  requireOk(answer, 'ADDR-CREATE-STATUS');
  const id = idOf(answer.at('/data'));
  if (id === undefined) return context.block('create answered without `data.id`', requirementOfId(answer));
  return { id, label: sent.alias_name, auth };
}

/** Looks for an address of the other client by its id and in the first client's list, along with one of its own. */
const lookedFor = perRun(
  'shipping: look for the address of another client',
  async (context: SuiteContext) => {
    const { addresses, sharedAddresses } = context;
    const { id, label, auth } = await ofOther(context);
    const { id: own, sent } = await sharedAddresses.full();
    const read = await addresses.read(id, "read another client's address");
    const isOne = (wanted: string, name: unknown) => (item: { id: unknown; alias_name?: unknown }) =>
      idOf(item) === wanted || item.alias_name === name;
    const { pages } = await addresses.look(isOne(id, label));
    await addresses.remove(id, 'delete it as the other client', { auth });
    const showing = (wanted: ReturnType<typeof isOne>) => pages.find(({ items }) => items.some(wanted));
    return { id, read, page: showing(isOne(id, label)), ownPage: showing(isOne(own, sent.alias_name)) };
  },
);

writeCheck('ADDR-LIST-OTHER-CLIENT', async (context) => {
  const { id, read, page } = await lookedFor(context);
  if (read.status !== 404)
    context.skip(
      `a read of another client's address is answered ${read.status}, not 404: they may share addresses`,
    );
  context.expect.that(page === undefined, `the list shows the address ${id} of another client`, {
    answer: page?.answer ?? read,
    expected: 'only addresses that a read by the same client finds',
    found: id,
  });
});

writeCheck('ADDR-LIST-OTHER-CLIENT', { case: 'same-parameters' }, async (context) => {
  const { addresses, expect, skip } = context;
  if ((await lookedFor(context)).read.status !== 404)
    skip('the address of the other client is found by a read: they may share addresses');
  const { id, auth } = await ofOther(context);
  const query = { page: await addresses.base(), per_page: await addresses.pageSize() };
  const theirs = await addresses.list(query, 'list as another client', { auth });
  // A cache may keep lists by their parameters alone.
  const answer = await addresses.list(query, 'list with the same parameters');
  await addresses.remove(id, 'delete it as the other client', { auth });
  if (!itemOn(theirs, id)) skip('the first page of the other client does not show its new address');
  expect.that(!itemOn(answer, id), `the list shows ${id}, as the list of another client did just before`, {
    answer,
    by: theirs,
    expected: 'only addresses that a read by the same client finds',
    found: id,
  });
});

writeCheck('ADDR-READ-OTHER-CLIENT', async (context) => {
  const { expect, block } = context;
  const { id, read, page, ownPage } = await lookedFor(context);
  if (!ownPage) block('the list does not even show an address of the same client', 'ADDR-CREATE-LISTED');
  const isHidden = shows(read, id) && page === undefined;
  expect.that(!isHidden, `a read shows the address ${id} of another client, which the list does not show`, {
    answer: read,
    at: 'status',
    expected: '404, or the address in the list',
    found: String(read.status),
  });
});

/** The lists without parameters of the second client: as it is, after an update, and after the delete. */
const listsOfOther = perRun('shipping: lists without parameters', async (context: SuiteContext) => {
  const { addresses } = context;
  const { id, label: first, auth } = await ofOther(context);
  const list = (purpose: string): Promise<Answer> => addresses.list({}, purpose, { auth });
  const before = await list('list without parameters as another client');
  const label = addresses.label();
  const update = await addresses.update(id, { alias_name: label }, {}, 'update its address', { auth });
  const path = `/${encodeURIComponent(id)}`;
  const read = await addresses.call({ method: 'GET', path, purpose: 'read it after the update', auth });
  const updated = await list('list without parameters after the update');
  const removal = await addresses.remove(id, 'delete its address', { auth });
  const removed = await list('list after the delete');
  return { id, first, label, before, update, read, updated, removal, removed };
});

const PLAIN = { case: 'without-parameters' };

writeCheck('ADDR-UPDATE-IN-LIST', PLAIN, async (context) => {
  const { expect, skip, block } = context;
  const { id, first, label, before, update, read, updated } = await listsOfOther(context);
  const item = itemOn(before, id);
  if (!item) return skip('the first page of the other client does not show its new address');
  if (item.alias_name !== first)
    return block('the list shows another label than the one that was sent', 'ADDR-LIST-ITEM-LABELS');
  requireOk(update, 'ADDR-UPDATE-STATUS');
  if (read.at('/data/alias_name') !== label)
    return block('a read does not show the new label', 'ADDR-UPDATE-SETS-ALIAS-NAME');
  const found = itemOn(updated, id);
  if (!found) return skip('the first page no longer shows the address');
  const where = { answer: updated, by: update };
  expect.equal(found.alias_name, label, 'alias_name in a list without parameters after an update', where);
});

writeCheck('ADDR-DELETE-GONE-LIST', PLAIN, async (context) => {
  const { expect, skip } = context;
  const { id, before, removal, removed } = await listsOfOther(context);
  if (!itemOn(before, id)) return skip('the first page of the other client does not show its new address');
  requireOk(removal, 'ADDR-DELETE-STATUS');
  expect.that(!itemOn(removed, id), `the deleted address ${id} is still in a list without parameters`, {
    answer: removed,
    expected: 'no item with that id',
    found: id,
  });
});
