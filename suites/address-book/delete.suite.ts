import type { AddressTemplate } from '../../schemas/shipping/index.ts';
import { itemsOf } from '../../services/shipping/api/address-list.ts';
import { idOf, shows } from '../../services/shipping/api/addresses.ts';
import { keyOf } from '../../services/shipping/api/pages.ts';
import { lookalike, namesake } from '../../services/shipping/fixtures/namesake.ts';
import { twoHoursLater } from '../../services/shipping/fixtures/two-hours.ts';
import { unoccupied } from '../../services/shipping/fixtures/unoccupied-id.ts';
import { ALTERATIONS, unknownId } from '../../services/shipping/judging/address-ids.ts';
import { ERROR_FIELDS, expectNotFoundBody } from './answers.ts';
import { expectOthersKept, expectUnchanged, listedItems } from './others-kept.ts';
import { check, WITHIN_A_SECOND } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

/** For checks that let two hours pass: when others do, too, since tokens have to be replaced afterwards. */
const LATER = { touches: { clock: 'move' }, phase: 'late' } as const;

writeCheck('ADDR-DELETE-STATUS', async ({ sharedAddresses, expect }) => {
  expect.status((await sharedAddresses.deleted()).answer, 200);
});

writeCheck('ADDR-DELETE-GONE-READ', async ({ addresses, faker, expect, block }) => {
  const id = await addresses.anyId();
  await addresses.stored(id);
  await addresses.removed(id);
  const answer = await addresses.read(id, 'read the deleted address');
  if (answer.status === 404) return;
  // Where every unknown id gets this answer, another requirement is violated.
  const unknown = await addresses.read(unknownId(faker, id), 'read an id that no address has');
  const same = unknown.status === answer.status && !shows(answer, id);
  if (same) block(`unknown ids are answered ${unknown.status} as well`, 'ADDR-READ-UNKNOWN-404');
  expect.status(answer, 404);
});

writeCheck('ADDR-DELETE-GONE-LIST', async ({ addresses, expect, block }) => {
  const { id, sent } = await addresses.create();
  const isNamed = (item: AddressTemplate) => idOf(item) === id || item.alias_name === sent.alias_name;
  const before = itemsOf(await addresses.lookFor(isNamed)).filter(isNamed);
  if (before.length === 0) block('the address is not in the list to begin with', 'ADDR-CREATE-LISTED');
  // If its create was delivered twice, there is another address of that label, which is not deleted.
  const others = new Set(before.map(idOf).filter((each) => each !== id));
  const isIt = (item: AddressTemplate) => isNamed(item) && (before.length === 1 || !others.has(idOf(item)));
  await addresses.removed(id);
  for (const { answer, items } of (await addresses.look()).pages) {
    expect.that(!items.some(isIt), `the deleted address ${id} is still in the list`, {
      answer,
      expected: 'no item with that id',
      found: id,
    });
  }
});

writeCheck('ADDR-DELETE-GONE-READ', { case: 'later', ...LATER }, async (context) => {
  const { addresses, expect } = context;
  const { id } = (await twoHoursLater(context)).deleted;
  const answer = await addresses.read(id, 'read the deleted address two hours later');
  expect.that(!shows(answer, id), `the address ${id} is there two hours after its delete`, {
    answer,
    expected: 'no address',
    found: id,
  });
});

writeCheck('ADDR-DELETE-GONE-LIST', { case: 'later', ...LATER }, async (context) => {
  const { addresses, expect } = context;
  const { isIt, id } = (await twoHoursLater(context)).deleted;
  for (const { answer, items } of (await addresses.look()).pages) {
    expect.that(!items.some(isIt), `the address ${id} is in the list two hours after its delete`, {
      answer,
      expected: 'no item with that id',
      found: id,
    });
  }
});

writeCheck('ADDR-DELETE-GONE-READ', { case: 'after-others' }, async ({ addresses, expect }) => {
  const [gone, other] = [await addresses.anyId(), await addresses.anyId()];
  await addresses.removed(gone);
  // A server that rewrites its whole store with each change may bring back a deleted address.
  await addresses.update(other, { alias_name: addresses.label() });
  await addresses.removed((await addresses.create()).id);
  await addresses.removed(other);
  const answer = await addresses.read(gone, 'read the deleted address after changes of others');
  expect.that(!shows(answer, gone), `the deleted address ${gone} is there after changes of others`, {
    answer,
    expected: 'no address',
    found: gone,
  });
});

writeCheck('ADDR-DELETE-GONE-READ', { case: 'default', touches: { default: 'alone' } }, async (context) => {
  const { addresses, updates, expect, skip } = context;
  const { id, data } = await updates.start('full', true);
  if (data.default !== true) skip('the target lets no new address be the default');
  const deleted = await addresses.remove(id, 'delete the default address');
  // Whether the default address can be deleted is left open, but a success has to mean that it is gone.
  if (!deleted.ok) skip(`a delete of the default address is answered ${deleted.status}`);
  const answer = await addresses.read(id, 'read the deleted default address');
  expect.that(!shows(answer, id), `the default address ${id} is still there after a delete`, {
    answer,
    expected: 'no address',
    found: id,
  });
});

writeCheck('ADDR-DELETE-GONE-READ', { case: 'sparse' }, async ({ addresses, updates, expect }) => {
  const { id } = await updates.start('sparse');
  await addresses.removed(id);
  const answer = await addresses.read(id, 'read the deleted address, which had no optional field');
  expect.that(!shows(answer, id), `the address ${id}, which has no optional field, is there after a delete`, {
    answer,
    expected: 'no address',
    found: id,
  });
});

writeCheck('ADDR-DELETE-GONE-READ', { case: 'verified', ...WITHIN_A_SECOND }, async (context) => {
  const { addresses, verification, time, expect, skip } = context;
  const { tookMs } = await verification.verified();
  const id = await addresses.anyId();
  await verification.started(id, [await verification.carrier()]);
  const deleted = await addresses.remove(id, 'delete while the verification goes on');
  // Refusals of a delete are shown for unknown ids only; an address may be locked during verification.
  if (!deleted.ok) skip(`a delete while a verification goes on is answered ${deleted.status}`);
  const looks = [await addresses.read(id, 'read the deleted address')];
  await verification.settle();
  if (time.movable) await time.wait(2 * tookMs);
  looks.push(await addresses.read(id, 'read the deleted address after its verification'));
  for (const answer of looks)
    expect.that(!shows(answer, id), `the address ${id}, deleted while it was verified, is there`, {
      answer,
      expected: 'no address',
      found: id,
    });
});

writeCheck(
  'ADDR-DELETE-GONE-COUNT',
  { touches: { addresses: 'alone' } },
  async ({ addresses, expect, block }) => {
    const first = await addresses.anyId();
    const one = await addresses.count();
    await addresses.removed(first);
    // A delete that finds no address must not reduce the total.
    await addresses.remove(first, 'delete the address again');
    if ((await addresses.count()).total === one.total - 1) return;
    // A wrong total is checked again, with the whole list: others may have saved or deleted addresses.
    const id = await addresses.anyId();
    const walked = new Set((await addresses.items()).map(keyOf));
    if (!walked.has(id.toLowerCase()))
      block('the address is not in the list to begin with', 'ADDR-CREATE-LISTED');
    const before = await addresses.count();
    await addresses.removed(id);
    await addresses.remove(id, 'delete the address again');
    const { answer, total } = await addresses.count();
    const added = (await addresses.items()).map(keyOf).filter((key) => !walked.has(key));
    if (added.length > 0) block('the list shows addresses that it did not show before', 'ADDR-CREATE-LISTED');
    expect.equal(total, before.total - 1, 'total_count after one delete', {
      answer,
      at: '/meta/total_count',
    });
  },
);

writeCheck('ADDR-DELETE-UNKNOWN-404', async ({ addresses, sharedAddresses, faker, expect }) => {
  const unknown = unknownId(faker, await sharedAddresses.gone());
  expect.status(await addresses.remove(unknown, 'delete an id that no address has'), 404);
});

writeCheck('ADDR-DELETE-AGAIN-404', async ({ addresses, sharedAddresses, faker, expect, block }) => {
  const id = await sharedAddresses.gone();
  const answer = await addresses.remove(id, 'delete the address again');
  if (answer.status === 404) return;
  // Where unknown ids are refused with the same other status, another requirement is violated.
  const unknown = await addresses.remove(unknownId(faker, id), 'delete an id that no address has');
  if (!answer.ok && unknown.status !== 404)
    block(`unknown ids are answered ${unknown.status} as well`, 'ADDR-DELETE-UNKNOWN-404');
  expect.status(answer, 404);
});

const BODY = ['ADDR-DELETE-UNKNOWN-BODY', ...ERROR_FIELDS];

writeCheck(BODY, async ({ addresses, sharedAddresses, faker, expect, block }) => {
  const unknown = unknownId(faker, await sharedAddresses.gone());
  const answer = await addresses.remove(unknown, 'delete an id that no address has');
  expectNotFoundBody({ expect, block }, answer, {
    status: 'ADDR-DELETE-UNKNOWN-404',
    body: 'ADDR-DELETE-UNKNOWN-BODY',
  });
});

writeCheck(BODY, { case: 'again' }, async ({ addresses, sharedAddresses, expect, block }) => {
  const answer = await addresses.remove(await sharedAddresses.gone(), 'delete the address again');
  expectNotFoundBody({ expect, block }, answer, {
    status: 'ADDR-DELETE-AGAIN-404',
    body: 'ADDR-DELETE-UNKNOWN-BODY',
  });
});

writeCheck(
  'ADDR-DELETE-OTHERS-UNTOUCHED',
  { touches: { addresses: 'alone' } },
  async ({ addresses, expect }) => {
    const { id, sent } = await addresses.create();
    // One address that differs only in its label, and one that has only its label in common.
    const others = [await lookalike(addresses, sent), await namesake(addresses, { id, sent })];
    const reads = [];
    for (const other of others) reads.push((await addresses.stored(other.id, 'read another address')).data);
    const listed = [...(await listedItems(addresses))];
    const before = new Map(listed.filter(([, { alias_name: label }]) => label !== sent.alias_name));
    await addresses.removed(id);
    for (const [n, other] of others.entries()) {
      const answer = await addresses.read(other.id, 'read another address again');
      expect.accepted(answer, `only ${id} was deleted`);
      expectUnchanged(expect, reads[n], answer.at('/data'), `the address ${other.id}`, answer);
    }
    await expectOthersKept({ addresses, expect }, id, before, await listedItems(addresses));
  },
);

for (const [name, alter] of Object.entries(ALTERATIONS)) {
  writeCheck('ADDR-DELETE-EXACT-ID', { case: name }, async ({ addresses, sharedAddresses, expect }) => {
    const { id } = await sharedAddresses.target('delete');
    const { id: altered } = await unoccupied(addresses, alter(id));
    await addresses.remove(altered, 'delete a similar id');
    const answer = await addresses.read(id, 'read the address whose id is similar');
    expect.accepted(answer, `${altered} was deleted, not ${id}`);
  });
}
