/** 4.1 List addresses: status, envelope, and items that show what a read shows. */
import { isDeepStrictEqual } from 'node:util';
import type { CheckContext } from '../../lib/check/context.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { short } from '../../lib/schema/validator.ts';
import type { AddressTemplate } from '../../schemas/shipping/index.ts';
import { type AddressBook, idOf } from '../support/shipping/addresses.ts';
import { differing, FIELDS, type Field, READ_ONLY_FIELDS, valueIn } from '../support/shipping/fields.ts';
import { sortedEntries } from '../support/shipping/verification.ts';
import { check } from './suite.ts';

check('ADDR-LIST-STATUS', async ({ addresses, expect }) => {
  expect.status(await addresses.list(), 200);
});

check('ADDR-LIST-DATA', async ({ addresses, expect, block }) => {
  const answer = await addresses.list();
  if (!answer.ok) block(`list answered ${answer.status}`, 'ADDR-LIST-STATUS');
  expect.object(answer);
  const data = answer.at('/data');
  expect.that(Array.isArray(data), `data is ${short(data)}, not an array`, {
    answer,
    at: '/data',
    expected: 'an array',
    found: short(data),
  });
});

check('ADDR-LIST-META', async ({ addresses, expect, block }) => {
  const answer = await addresses.list();
  if (!answer.ok) block(`list answered ${answer.status}`, 'ADDR-LIST-STATUS');
  if (!isObject(answer.json)) block('the body of the list is no JSON object', 'ADDR-LIST-DATA');
  const meta = answer.at('/meta');
  expect.that(isObject(meta), `meta is ${short(meta)}, not an object`, {
    answer,
    at: '/meta',
    expected: 'an object',
    found: short(meta),
  });
});

const NESTED = [...FIELDS.filter((field) => field.nested), ...READ_ONLY_FIELDS];
const OUTER = FIELDS.filter((field) => !field.nested);

check('ADDR-LIST-ITEM-ADDRESS', { effects: 'write' }, async ({ addresses, shared, expect, block }) => {
  for (const { id } of [await shared.full(), await shared.sparse()]) {
    const { item, page, read } = await listedAndRead(addresses, block, id);
    if (isObject(read.address)) {
      expect.that(isObject(item.address), `the item has no address: ${short(item.address)}`, {
        answer: page,
        expected: 'the address as a read gives it',
        found: short(item.address),
      });
    }
    expectSame(expect, item, read, NESTED, page);
  }
});

check('ADDR-LIST-ITEM-LABELS', { effects: 'write' }, async ({ addresses, shared, expect, block }) => {
  for (const { id } of [await shared.full(), await shared.sparse(), await shared.default()]) {
    const { item, page, read } = await listedAndRead(addresses, block, id);
    expectSame(expect, item, read, OUTER, page);
  }
});

check(
  'ADDR-LIST-ITEM-CARRIERS',
  { effects: 'write' },
  async ({ addresses, verification, expect, block, undecided }) => {
    const { made } = await verification.verified();
    for (let tries = 0; tries < 5; tries += 1) {
      const before = (await verification.entries(made.id)).entries;
      const { item, page } = await listedAndRead(addresses, block, made.id);
      const after = (await verification.entries(made.id)).entries;
      if (!isDeepStrictEqual(sortedEntries(before), sortedEntries(after))) continue;
      if (after.length === 0)
        block('the outcome of the verification is no longer shown', 'ADDR-VERIFY-OUTCOME');
      if (!Array.isArray(item.verified_carriers))
        block('the item has no list of verified carriers', 'ADDR-TEMPLATE-VERIFIED-CARRIERS');
      const same = isDeepStrictEqual(sortedEntries(item.verified_carriers), sortedEntries(after));
      return expect.that(
        same,
        `the item's verified_carriers are ${short(item.verified_carriers)}, a read gives ${short(after)}`,
        {
          answer: page,
          expected: short(after),
          found: short(item.verified_carriers),
        },
      );
    }
    undecided('the verification kept changing while it was looked at');
  },
);

/** An address as the list shows it, and as a read does. */
async function listedAndRead(
  addresses: AddressBook,
  block: CheckContext['block'],
  id: string,
): Promise<{ item: AddressTemplate; page: Answer; read: AddressTemplate }> {
  const { data: read } = await addresses.stored(id);
  for (const page of await addresses.all()) {
    const item = page.items.find((each) => idOf(each)?.toLowerCase() === id.toLowerCase());
    if (item) return { item, page: page.answer, read };
  }
  return block('the address is not in the list', 'ADDR-CREATE-LISTED');
}

function expectSame(
  expect: CheckContext['expect'],
  item: AddressTemplate,
  read: AddressTemplate,
  fields: Field[],
  page: Answer,
): void {
  const [field] = differing(item, read, fields);
  if (!field) return;
  const [found, expected] = [short(valueIn(item, field)), short(valueIn(read, field))];
  expect.fail(`the item's ${field.pointer} is ${found}, a read gives ${expected}`, {
    answer: page,
    expected,
    found,
  });
}

function isObject(value: unknown): boolean {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
