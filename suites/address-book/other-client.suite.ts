/** Sections 4.3 to 4.6: changes by another client, for which an address does not exist. */
import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { AddressBook, idOf, shows } from '../../services/shipping/api/addresses.ts';
import { type AccessToken, OAuth } from '../../services/shipping/api/oauth.ts';
import { unknownId } from '../../services/shipping/judging/address-ids.ts';
import { changedEntries } from '../../services/shipping/judging/verified-entries.ts';
import { fieldNamed, typedValue } from '../../services/shipping/vocabulary.ts';
import { check, type SuiteContext } from './suite.ts';

const writeCheck = check.with({ effects: 'write', needs: ['shipping.secondClient'] });

/**
 * Makes an address that the second client does not find, and returns its id and that client's token. Throws
 * `Skipped` where it does find it, since the clients may share an account.
 * @param _use what is tried with the address: on a wrong server, one change may affect what another shows
 */
const unseen = perRun(
  'shipping: address that another client does not find',
  async (context: SuiteContext, _use: 'update' | 'verify' | 'delete') => {
    const book = new AddressBook(context);
    const { id } = await book.create();
    await book.stored(id);
    const auth = await new OAuth(context).issue(context.oauth.secondClient);
    const path = `/${encodeURIComponent(id)}`;
    const answer = await book.call({ method: 'GET', path, purpose: 'read as another client', auth });
    if (answer.status !== 404)
      context.skip(
        `the other client's read is answered ${answer.status}, not 404: the clients may share addresses`,
      );
    return { id, path, auth };
  },
);

/**
 * Fails if the other client's request succeeded, unless the same request for an id that no address has succeeds
 * too: then another requirement is violated, and this throws `Blocked`.
 */
async function expectRefused(
  { addresses, faker, expect, block }: SuiteContext,
  answer: Answer,
  id: string,
  send: (id: string) => Promise<Answer>,
  by: string,
): Promise<void> {
  if (!answer.ok) return;
  const unknown = unknownId(faker, id);
  const twin = await send(unknown);
  // If the request stored an address under that id, it is removed before other checks read the list.
  if (twin.ok && shows(await addresses.read(unknown), unknown)) await addresses.remove(unknown);
  if (twin.ok) block(`unknown ids are answered ${twin.status} as well`, by);
  expect.refused(answer, 'a read by the same client is answered 404: for it, the address does not exist');
}

writeCheck('ADDR-UPDATE-OTHER-CLIENT', async (context) => {
  const { addresses, expect } = context;
  const { id, path, auth } = await unseen(context, 'update');
  const before = await addresses.stored(id);
  const changes = { alias_name: addresses.label() };
  const answer = await addresses.update(id, changes, {}, 'update as another client', { auth });
  const after = await addresses.stored(id);
  // It may have stored an address of its own under this id.
  if (answer.ok) await addresses.call({ method: 'DELETE', path, purpose: 'remove what it made', auth });
  const update = (unknown: string) => addresses.update(unknown, changes, {}, 'update an unknown id');
  await expectRefused(context, answer, id, update, 'ADDR-UPDATE-UNKNOWN-REFUSED');
  const what = `alias_name after another client's update (answered ${answer.status})`;
  expect.equal(after.data.alias_name, before.data.alias_name, what, {
    answer: after.answer,
    at: '/data/alias_name',
    by: answer,
  });
});

writeCheck('ADDR-VERIFY-OTHER-CLIENT', { touches: { clock: 'move' } }, async (context) => {
  const { addresses, verification, expect } = context;
  const { id, auth } = await unseen(context, 'verify');
  const body = { carriers: (await verification.carriers()).names };
  const { entries: before } = await verification.entries(id);
  const answer = await addresses.verify(id, body, 'verify as another client', { auth });
  const verify = (unknown: string) => addresses.verify(unknown, body, 'verify an unknown id');
  await expectRefused(context, answer, id, verify, 'ADDR-VERIFY-UNKNOWN-REFUSED');
  await verification.settle();
  const after = await verification.entries(id);
  const begun = changedEntries(after.entries, before);
  if (begun.length > 0) await verification.requireAsked();
  expect.that(begun.length === 0, "another client's verify was refused, and started all the same", {
    answer: after.answer,
    at: '/data/verified_carriers',
    expected: 'no new entry',
    found: String(begun.length),
    by: answer,
  });
});

writeCheck('ADDR-DELETE-OTHER-CLIENT', async (context) => {
  const { addresses, expect } = context;
  const { id, path, auth } = await unseen(context, 'delete');
  // Not by `remove`: after a wrong success the address is still to be removed at the end.
  const answer = await addresses.call({ method: 'DELETE', path, purpose: 'delete as another client', auth });
  const remove = (unknown: string) => addresses.remove(unknown, 'delete an unknown id');
  const after = await addresses.read(id);
  if (after.ok) await expectRefused(context, answer, id, remove, 'ADDR-DELETE-UNKNOWN-404');
  expect.that(after.ok, `the address is gone after another client's delete (answered ${answer.status})`, {
    answer: after,
    at: 'status',
    expected: '200',
    by: answer,
  });
});

/** On a target that keeps one default address in an account, another account's must stay. */
writeCheck('ADDR-DEFAULT-OTHER-CLIENT', { touches: { default: 'alone' } }, async (context) => {
  const { addresses, updates, oauth, expect, skip, block } = context;
  const auth = await oauth.issue(oauth.secondClient);
  const sent = updates.toSend('full', true);
  const created = await addresses.post({ address_template: sent }, 'create a default one as another client', {
    auth,
  });
  const id = idOf(created.at('/data'));
  if (!created.ok || id === undefined)
    return skip(`a create of a default address as another client is answered ${created.status}`);
  const path = `/${encodeURIComponent(id)}`;
  const look = (purpose: string) => addresses.call({ method: 'GET', path, purpose, auth });
  const before = await look('read it as that client');
  const { status } = await addresses.read(id, "read the other client's address");
  const { id: own, data } = await updates.start('full', true);
  const after = await look('read it again after the first client has a default address');
  await removeDefault(addresses, id, auth);
  if (status !== 404) skip(`the read is answered ${status}, not 404: the clients may share addresses`);
  for (const read of [before, after]) requireOk(read, 'ADDR-READ-STATUS');
  const flagIn = (answer: Answer) => typedValue(answer.at('/data'), fieldNamed('default'));
  if (flagIn(before) !== true) block('it is not the default', 'ADDR-CREATE-KEEPS-DEFAULT');
  if (data.default !== true) skip('the target lets no new address be the default');
  const what = `default of another client's address after ${own}, which that client does not find, became the default`;
  expect.equal(flagIn(after), true, what, { answer: after, at: '/data/default' });
});

/** Deletes a default address; where that is refused, without its flag. */
async function removeDefault(addresses: AddressBook, id: string, auth: AccessToken): Promise<void> {
  if ((await addresses.remove(id, 'delete it as the other client', { auth })).ok) return;
  await addresses.update(id, { default: false }, {}, 'take the flag from it', { auth });
  await addresses.remove(id, 'delete it without the flag', { auth });
}
