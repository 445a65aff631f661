/** 1, 2 and 4.4: concurrent updates keep each other's fields, and what other clients save is not counted. */

import { requireOk } from '../../lib/check/require.ts';
import { keyOf } from '../../services/shipping/api/pages.ts';
import { statuses, twoUpdates } from '../../services/shipping/fixtures/two-updates.ts';
import { check } from './suite.ts';

const writeCheck = check.with({ effects: 'write', passingFaults: true });

/** One round may go well by luck; this many make that unlikely. */
const ROUNDS = 4;

writeCheck('ADDR-UPDATE-CONCURRENT-KEPT', async ({ addresses, oauth, expect, block }) => {
  const updates = await twoUpdates(addresses, oauth);
  const { id } = updates;
  const twin = await updates.successive();
  const { data: before } = await addresses.stored(id);
  if (twin.answers.some(({ ok }) => !ok))
    block(`updates are answered ${statuses(twin)}`, 'ADDR-UPDATE-STATUS');
  if (before.alias_name !== twin.alias_name || before.address?.street1 !== twin.street1)
    block('updates one after the other are lost as well', 'ADDR-UPDATE-SUCCESSIVE');
  for (let round = 1; round <= ROUNDS; round += 1) {
    const sent = await updates.atOnce();
    const [alias, street] = sent.answers;
    if (!alias.ok && !street.ok)
      block(`updates at the same time were answered ${statuses(sent)}`, 'ADDR-UPDATE-STATUS');
    const { answer, data } = await addresses.stored(id);
    const where = (at: string) => ({ answer, at: `/data/${at}` });
    const what = (field: string) => `${field} after two updates at once`;
    if (alias.ok) expect.equal(data.alias_name, sent.alias_name, what('alias_name'), where('alias_name'));
    const { street1 } = data.address ?? {};
    if (street.ok) expect.equal(street1, sent.street1, what('street1'), where('address/street1'));
  }
});

writeCheck(
  'ADDR-META-TOTAL-COUNT-VALUE',
  { case: 'other-client', needs: ['shipping.secondClient'], touches: { addresses: 'alone' } },
  async ({ addresses, oauth, expect }) => {
    const others = await oauth.issue(oauth.secondClient);
    const body = { address_template: addresses.fresh() };
    const created = await addresses.post(body, 'create an address as the other client', { auth: others });
    requireOk(created, 'ADDR-CREATE-STATUS');
    const { answer, total } = await addresses.count();
    const number = new Set((await addresses.items()).map(keyOf)).size;
    expect.equal(total, number, `meta.total_count beside ${number} addresses on all pages`, {
      answer,
      at: '/meta/total_count',
    });
    const id = created.at('/data/id');
    // An address of another client may have to be removed by that client.
    if (typeof id === 'string') await addresses.remove(id, 'remove it again', { auth: others });
  },
);
