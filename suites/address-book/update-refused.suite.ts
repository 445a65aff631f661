/** 4.4: updates that find no address, and those that are refused, change nothing. */

import { short } from '../../lib/check/validator.ts';
import { shows } from '../../services/shipping/api/addresses.ts';
import { unoccupied } from '../../services/shipping/fixtures/unoccupied-id.ts';
import { accepted } from '../../services/shipping/fixtures/updates.ts';
import { ALTERATIONS, unknownId } from '../../services/shipping/judging/address-ids.ts';
import { differing, templateOf, type Values, valueIn } from '../../services/shipping/vocabulary.ts';
import { check } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

writeCheck('ADDR-UPDATE-UNKNOWN-REFUSED', async ({ addresses, updates, faker, expect }) => {
  const { id, changes } = accepted(await updates.single('alias_name'));
  const unknown = unknownId(faker, id);
  const answer = await addresses.update(unknown, templateOf(changes), {}, 'update an id that no address has');
  const read = await addresses.read(unknown, 'read the id that no address has');
  if (shows(read, unknown)) await addresses.adopt(unknown);
  expect.refused(answer, 'no address has this id');
  const appeared = shows(read, unknown);
  expect.that(!appeared, 'an address appeared under the unknown id', {
    answer: read,
    expected: 'no address',
    found: unknown,
  });
});

const SAVES_NOTHING = { case: 'saves-nothing', touches: { addresses: 'alone' } } as const;

writeCheck('ADDR-UPDATE-UNKNOWN-REFUSED', SAVES_NOTHING, async ({ addresses, faker, expect, block }) => {
  // A wrong count is checked once more: somebody else may have saved or deleted an address just then.
  for (const isLast of [false, true]) {
    const unknown = unknownId(faker, faker.string.uuid());
    const { total: before } = await addresses.count();
    const answer = await addresses.update(unknown, addresses.fresh(), {}, 'update an id that no address has');
    if (answer.ok) block('an update of an unknown id is accepted', 'ADDR-UPDATE-UNKNOWN-REFUSED');
    const after = await addresses.count();
    if (after.total === before) return;
    const where = { answer: after.answer, at: '/meta/total_count', by: answer };
    if (isLast) expect.equal(after.total, before, 'total_count after an update that was refused', where);
  }
});

writeCheck('ADDR-UPDATE-DELETED-REFUSED', async ({ addresses, updates, expect, block }) => {
  const { id, data } = await updates.any();
  await addresses.updated(id, templateOf(await updates.values(data, ['alias_name'])));
  await addresses.removed(id);
  if (shows(await addresses.read(id, 'read the deleted address'), id))
    block('a deleted address is still there', 'ADDR-DELETE-GONE-READ');
  const changes = await updates.values(data, ['alias_name']);
  const answer = await addresses.update(id, templateOf(changes), {}, 'update the deleted address');
  const read = await addresses.read(id, 'read the deleted address after the update');
  if (shows(read, id)) await addresses.adopt(id);
  expect.refused(answer, 'the address was deleted');
  expect.that(!shows(read, id), 'the deleted address is back after an update', {
    answer: read,
    expected: 'no address',
    found: id,
  });
});

for (const [name, alter] of Object.entries(ALTERATIONS)) {
  writeCheck(
    'ADDR-UPDATE-EXACT-ID',
    { case: name },
    async ({ addresses, updates, sharedAddresses, expect }) => {
      accepted(await updates.single('alias_name'));
      const { id, read } = await sharedAddresses.target('update');
      const before = read.data;
      const { id: altered } = await unoccupied(addresses, alter(id));
      const changes = await updates.values(before, ['alias_name', 'company']);
      const sent = await addresses.update(altered, templateOf(changes), {}, 'update a similar id');
      if (shows(sent, altered)) await addresses.adopt(altered);
      const { answer, data: after } = await addresses.stored(id);
      // Whatever else differs may be due to another check: the address may have become the default one.
      const field = differing(before, after).find(({ name }) => name in changes);
      if (!field) return;
      expect.fail(`${altered} was updated, and ${field.pointer} of ${id} changed`, {
        answer,
        at: `/data${field.pointer}`,
        expected: short(valueIn(before, field)),
        found: short(valueIn(after, field)),
      });
    },
  );
}

/** Values that targets are likely to refuse. */
const UNACCEPTABLE: Values[] = [
  { phone: 5 },
  { alias_name: 5 },
  { default: '' },
  { name: null },
  { country_code: 'Mexico' },
  { email: 'not an email' },
  { postal_code: '' },
  { alias_name: null },
];

// On some targets, another check that deletes a default address makes this one the default.
const BESIDE_DEFAULTS = { touches: { default: 'alone' } } as const;

writeCheck('ADDR-UPDATE-ATOMIC', BESIDE_DEFAULTS, async ({ addresses, updates, expect, skip }) => {
  let refused = 0;
  for (const bad of UNACCEPTABLE) {
    const { id, data: before } = await updates.any();
    if ((await addresses.update(id, templateOf(bad), {}, 'update with a value that may be refused')).ok)
      continue;
    const good = await updates.values(before, ['company', 'reference', 'alias_name']);
    const answer = await addresses.update(
      id,
      templateOf({ ...good, ...bad }),
      {},
      'update with good values and a bad one',
    );
    if (answer.ok) continue;
    const { data: after } = await addresses.stored(id);
    const [field] = differing(before, after);
    refused += 1;
    // Five refusals are tried, since a server may check the address, each of the fields beside it, the values, and
    // what the database accepts at different points, and each may leave a part of the update behind.
    if (!field && refused === 5) return;
    if (!field) continue;
    expect.fail(`the update was refused with ${answer.status}, and ${field.pointer} changed all the same`, {
      answer,
      at: `/data${field.pointer}`,
      expected: short(valueIn(before, field)),
      found: short(valueIn(after, field)),
    });
  }
  if (refused === 0) skip('the target refuses none of the values that were tried');
});
