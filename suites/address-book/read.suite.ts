/** 4.2 Read address. */

import type { CheckContext } from '../../lib/check/context.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { type AddressBook, type CreatedAddress, idOf } from '../../services/shipping/api/addresses.ts';
import { unoccupied } from '../../services/shipping/fixtures/unoccupied-id.ts';
import { ALTERATIONS, unknownId } from '../../services/shipping/judging/address-ids.ts';
import { ERROR_FIELDS, expectData, expectNotFoundBody, expectSameId } from './answers.ts';
import { check } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

writeCheck('ADDR-READ-STATUS', async ({ addresses, sharedAddresses, expect, block }) => {
  expect.status(await readExisting(addresses, block, await sharedAddresses.made()), 200);
});

writeCheck('ADDR-READ-STATUS', { case: 'listed' }, async ({ addresses, sharedAddresses, expect, block }) => {
  const { id } = await sharedAddresses.full();
  requireOk(await addresses.read(id), 'ADDR-READ-STATUS');
  const item = await addresses.listed((each) => idOf(each)?.toLowerCase() === id.toLowerCase());
  if (!item) return block('the address is not in the list', 'ADDR-CREATE-LISTED');
  const read = await addresses.read(item.id, 'read an address by the id that the list shows');
  expect.accepted(read, `the list shows this id for the address ${id}, which is there`);
});

writeCheck('ADDR-READ-DATA', async ({ addresses, sharedAddresses, expect, block }) => {
  const answer = await readExisting(addresses, block, await sharedAddresses.made());
  requireOk(answer, 'ADDR-READ-STATUS');
  expectData(expect, answer);
});

writeCheck('ADDR-READ-SAME-ID', async ({ addresses, sharedAddresses, expect, block }) => {
  const [first, second] = [await sharedAddresses.made(), await addresses.create()];
  for (const { id } of [first, second, first]) {
    const answer = await addresses.read(id);
    requireOk(answer, 'ADDR-READ-STATUS');
    expectSameId({ expect, block }, answer, id);
  }
});

/** For a server that compares ids with SQL's `LIKE`, the percent sign stands for any rest. */
const PATTERN = (id: string): string[] => [`${id.slice(0, -1)}%`];

for (const [name, alter] of Object.entries({ ...ALTERATIONS, pattern: PATTERN })) {
  writeCheck('ADDR-READ-EXACT-ID', { case: name }, async ({ addresses, sharedAddresses, expect }) => {
    const { id, sent } = await sharedAddresses.full();
    await addresses.stored(id);
    const { id: altered, read: answer } = await unoccupied(addresses, alter(id));
    const shown = answer.ok && (idOf(answer.at('/data')) === id || answer.text.includes(sent.alias_name));
    expect.that(!shown, `the address ${id} is answered for ${altered}`, {
      answer,
      at: '/data/id',
      expected: 'another address, or none',
      found: id,
    });
  });
}

writeCheck('ADDR-READ-UNKNOWN-404', async ({ addresses, sharedAddresses, faker, expect }) => {
  const { id } = await sharedAddresses.full();
  await addresses.stored(id);
  expect.status(await addresses.read(unknownId(faker, id), 'read an id that no address has'), 404);
});

writeCheck(
  ['ADDR-READ-UNKNOWN-BODY', ...ERROR_FIELDS],
  async ({ addresses, sharedAddresses, faker, expect, block }) => {
    const { id } = await sharedAddresses.full();
    const answer = await addresses.read(unknownId(faker, id), 'read an id that no address has');
    expectNotFoundBody({ expect, block }, answer, {
      status: 'ADDR-READ-UNKNOWN-404',
      body: 'ADDR-READ-UNKNOWN-BODY',
    });
  },
);

writeCheck(
  ['ADDR-READ-UNKNOWN-BODY', ...ERROR_FIELDS],
  { case: 'deleted' },
  async ({ addresses, sharedAddresses, expect, block }) => {
    const answer = await addresses.read(await sharedAddresses.gone(), 'read a deleted address');
    expectNotFoundBody({ expect, block }, answer, {
      status: 'ADDR-DELETE-GONE-READ',
      body: 'ADDR-READ-UNKNOWN-BODY',
    });
  },
);

writeCheck('ADDR-ID-ENCODED', async ({ addresses, expect }) => {
  const id = await addresses.anyId();
  await addresses.stored(id);
  const path = `/${id.slice(0, -1)}%${id.charCodeAt(id.length - 1).toString(16)}`;
  const [how, why] = ['with its last character percent-encoded in the path', 'it is the same URI'];
  const read = await addresses.call({ method: 'GET', path, purpose: `read the address ${how}` });
  expect.accepted(read, why);
  const change = { alias_name: addresses.label() };
  const updated = await addresses.update(id, change, {}, `update the address ${how}`, { path });
  // Where the update is refused with the usual path, too, the refusal says nothing about the encoding.
  if (!updated.ok) requireOk(await addresses.update(id, change), 'ADDR-UPDATE-STATUS');
  expect.accepted(updated, why);
  const removed = await addresses.remove(id, `delete the address ${how}`, { path });
  if (!removed.ok) await addresses.removed(id);
  expect.accepted(removed, why);
});

/**
 * Reads an existing address. Where that is refused, reads it by the id that the list shows, in case the
 * answer to the create carried another one. Blocks where the list does not show the address.
 */
async function readExisting(
  addresses: AddressBook,
  block: CheckContext['block'],
  made: CreatedAddress,
): Promise<Answer> {
  const answer = await addresses.read(made.id);
  if (answer.ok) return answer;
  const item = await addresses.listed((each) => each.alias_name === made.sent.alias_name);
  if (!item) block('the list does not show the address that was created', 'ADDR-CREATE-READABLE');
  const id = idOf(item);
  return id === undefined || id === made.id
    ? answer
    : addresses.read(id, 'read the address by the id in the list');
}
