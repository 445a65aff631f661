/** 1, 2 and 4.4: what other requests and other clients do must not show where it has no business. */
import { requireOk } from '../../lib/check/require.ts';
import { check } from './suite.ts';

const writeCheck = check.with({ effects: 'write', passingFaults: true });

/** A race may go well by luck; so many rounds make that unlikely. */
const ROUNDS = 4;

writeCheck('ADDR-UPDATE-CONCURRENT-KEPT', async ({ addresses, oauth, expect, block }) => {
  const { id } = await addresses.create();
  // Each has a token of its own: with one the rate would set them apart.
  const [one, other] = [await oauth.issue(), await oauth.issue()];
  const values = () => [addresses.label(), `Calle ${addresses.nth()}`] as const;
  const alias = (alias_name: string) =>
    addresses.update(id, { alias_name }, {}, 'update alias_name', { auth: one });
  const street = (street1: string) =>
    addresses.update(id, { address_attributes: { street1 } }, {}, 'update street1', { auth: other });
  // One after the other both have to last; that is another requirement.
  const [alias_name, street1] = values();
  const alone = [await alias(alias_name), await street(street1)];
  const { data: twin } = await addresses.stored(id);
  if (alone.some(({ ok }) => !ok))
    block(`updates are answered ${alone.map(({ status }) => status).join(' and ')}`, 'ADDR-UPDATE-STATUS');
  if (twin.alias_name !== alias_name || twin.address?.street1 !== street1)
    block('updates one after the other are lost as well', 'ADDR-UPDATE-SUCCESSIVE');
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [newAlias, newStreet] = values();
    await one.pacer.ready();
    await other.pacer.ready();
    const [aliasAnswer, streetAnswer] = await Promise.all([alias(newAlias), street(newStreet)]);
    if (!aliasAnswer.ok && !streetAnswer.ok)
      block(
        `updates at the same time were answered ${aliasAnswer.status} and ${streetAnswer.status}`,
        'ADDR-UPDATE-STATUS',
      );
    const { answer, data } = await addresses.stored(id);
    if (aliasAnswer.ok)
      expect.equal(data.alias_name, newAlias, 'alias_name after two updates at once', {
        answer,
        at: '/data/alias_name',
      });
    if (streetAnswer.ok)
      expect.equal(data.address?.street1, newStreet, 'street1 after two updates at once', {
        answer,
        at: '/data/address/street1',
      });
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
    const items = await addresses.items();
    expect.equal(total, items.length, `meta.total_count beside ${items.length} addresses on all pages`, {
      answer,
      at: '/meta/total_count',
    });
    const id = created.at('/data/id');
    // An address of another client may have to be removed by that client.
    if (typeof id === 'string') await addresses.remove(id, 'remove it again', { auth: others });
  },
);
