/** Sections 4.4 to 4.6: changes by another client, for which an address does not exist. */
import { perRun } from '../../lib/check/per-run.ts';
import { AddressBook } from '../../services/shipping/api/addresses.ts';
import { OAuth } from '../../services/shipping/api/oauth.ts';
import { check, type SuiteContext } from './suite.ts';

const writeCheck = check.with({ effects: 'write', needs: ['shipping.secondClient'] });

const WHY = 'a read by the same client is answered 404: for this client, the address does not exist';

/**
 * Makes an address that the second client does not find, and returns its id and that client's token. Throws
 * `Skipped` where it does find it, since the clients may share an account.
 * @param _use what the address is for, so that a wrong server that deletes it spoils no other check
 */
const unseen = perRun(
  'shipping: address that another client does not find',
  async (context: SuiteContext, _use: 'changed' | 'deleted') => {
    const book = new AddressBook(context);
    const { id } = await book.create();
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

writeCheck('ADDR-UPDATE-OTHER-CLIENT', async (context) => {
  const { addresses, expect } = context;
  const { id, auth } = await unseen(context, 'changed');
  const before = await addresses.stored(id);
  const label = addresses.label();
  const answer = await addresses.update(id, { alias_name: label }, {}, 'update as another client', { auth });
  expect.refused(answer, WHY);
  const after = await addresses.stored(id);
  const what = `alias_name after another client's update (answered ${answer.status})`;
  expect.equal(after.data.alias_name, before.data.alias_name, what, {
    answer: after.answer,
    at: '/data/alias_name',
    by: answer,
  });
});

writeCheck('ADDR-VERIFY-OTHER-CLIENT', async (context) => {
  const { addresses, verification, expect } = context;
  const { id, auth } = await unseen(context, 'changed');
  const { names } = await verification.carriers();
  const answer = await addresses.verify(id, { carriers: names }, 'verify as another client', { auth });
  expect.refused(answer, WHY);
});

writeCheck('ADDR-DELETE-OTHER-CLIENT', async (context) => {
  const { addresses, expect } = context;
  const { id, path, auth } = await unseen(context, 'deleted');
  // Not by `remove`: after a wrong success the address is still to be removed at the end.
  const answer = await addresses.call({ method: 'DELETE', path, purpose: 'delete as another client', auth });
  expect.refused(answer, WHY);
  const after = await addresses.read(id);
  expect.that(after.ok, `the address is gone after another client's delete (answered ${answer.status})`, {
    answer: after,
    at: 'status',
    expected: '200',
    by: answer,
  });
});
