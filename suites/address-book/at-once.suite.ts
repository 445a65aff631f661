/** 1, 2 and 4.4: what other requests and other clients do must not show where it has no business. */
import { Blocked } from '../../lib/check/verdict.ts';
import { check } from './suite.ts';

/** A race may go well by luck; so many rounds make that unlikely. */
const ROUNDS = 4;

check('ADDR-UPDATE-CONCURRENT-KEPT', { effects: 'write' }, async ({ addresses, expect }) => {
  const { id } = await addresses.create();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [alias_name, street1] = [`Conformance ${addresses.nth()}`, `Calle ${addresses.nth()}`];
    const [alias, street] = await Promise.all([
      addresses.update(id, { alias_name }, {}, 'update alias_name, another update under way'),
      addresses.update(
        id,
        { address_attributes: { street1 } },
        {},
        'update street1, another update under way',
      ),
    ]);
    if (!alias.ok && !street.ok)
      throw new Blocked(
        `updates at the same time were answered ${alias.status} and ${street.status}`,
        'ADDR-UPDATE-STATUS',
      );
    const { answer, data } = await addresses.stored(id);
    // Alone each of them has to work; that is another requirement.
    if (alias.ok && data.alias_name !== alias_name) await lostAlone(id, { alias_name });
    if (alias.ok)
      expect.equal(data.alias_name, alias_name, 'alias_name after two updates at once', {
        answer,
        at: '/data/alias_name',
      });
    if (street.ok && data.address?.street1 !== street1)
      await lostAlone(id, { address_attributes: { street1 } });
    if (street.ok)
      expect.equal(data.address?.street1, street1, 'street1 after two updates at once', {
        answer,
        at: '/data/address/street1',
      });
  }

  /** Blocks when the update is lost without any other at its side. */
  async function lostAlone(
    address: string,
    changes: { alias_name?: string; address_attributes?: { street1: string } },
  ): Promise<void> {
    await addresses.updated(address, changes);
    const { data } = await addresses.stored(address);
    const alias = changes.alias_name;
    const kept =
      alias === undefined
        ? data.address?.street1 === changes.address_attributes?.street1
        : data.alias_name === alias;
    if (!kept)
      throw new Blocked(
        'the update is lost without another at its side as well',
        alias === undefined ? 'ADDR-UPDATE-SETS-STREET1' : 'ADDR-UPDATE-SETS-ALIAS-NAME',
      );
  }
});

check(
  'ADDR-META-TOTAL-COUNT-VALUE',
  { case: 'other-client', effects: 'write', needs: ['shipping.secondClient'] },
  async ({ addresses, oauth, expect, block }) => {
    const others = await oauth.issue(oauth.secondClient);
    const body = { address_template: addresses.fresh() };
    const created = await addresses.post(body, 'create an address as the other client', { auth: others });
    if (!created.ok) block(`create as the other client answered ${created.status}`, 'ADDR-CREATE-STATUS');
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
