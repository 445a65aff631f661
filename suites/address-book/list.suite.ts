/** 4.1 List addresses: status, envelope, and items that show what a read shows. */

import { isDeepStrictEqual } from 'node:util';
import type { CheckContext } from '../../lib/check/context.ts';
import { requireOk } from '../../lib/check/require.ts';
import { short } from '../../lib/check/validator.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { isJsonObject } from '../../lib/model/json.ts';
import type { AddressTemplate } from '../../schemas/shipping/index.ts';
import { itemsOf } from '../../services/shipping/api/address-list.ts';
import { type AddressBook, idOf } from '../../services/shipping/api/addresses.ts';
import { pageOf } from '../../services/shipping/api/pages.ts';
import { otherList } from '../../services/shipping/fixtures/odd-lists.ts';
import { specialAddress } from '../../services/shipping/fixtures/special-address.ts';
import { noOutcome } from '../../services/shipping/fixtures/verification.ts';
import { schemas } from '../../services/shipping/judging/schemas.ts';
import {
  hasOutcome,
  properEntries,
  sortedEntries,
} from '../../services/shipping/judging/verified-entries.ts';
import { META_REQUIREMENTS } from '../../services/shipping/requirement-ids/field-requirements.ts';
import { FIELDS, type Field, READ_ONLY_FIELDS } from '../../services/shipping/vocabulary.ts';
import { type Difference, expectSameFields } from './answers.ts';
import { check, type SuiteContext } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

check('ADDR-LIST-STATUS', async ({ addresses, expect }) => {
  expect.status(await addresses.list(), 200);
});

writeCheck(
  'ADDR-LIST-STATUS',
  { case: 'pages', touches: { addresses: 'still' } },
  async ({ listSnapshot, expect, block }) => {
    const answered = (await listSnapshot.probes()).filter(({ answer }) => answer.ok);
    if (answered.length === 0) block('no page is answered', 'ADDR-LIST-PER-PAGE-HONOURED');
    for (const { answer } of answered) expect.status(answer, 200);
  },
);

/**
 * The lists to judge: one with addresses, a page of one, the one from before the run saved any, and another
 * client's.
 */
const LISTS: Record<string, { needs?: string[]; list: (context: SuiteContext) => Promise<Answer> }> = {
  full: {
    list: async ({ addresses, sharedAddresses }) => {
      await sharedAddresses.made();
      return addresses.list();
    },
  },
  'one-item': {
    list: async ({ addresses, sharedAddresses }) => {
      await sharedAddresses.made();
      return addresses.list({ per_page: 1 }, 'list a page of one address');
    },
  },
  before: { list: ({ addresses }) => addresses.before() },
  'other-client': {
    needs: ['shipping.secondClient'],
    list: otherList,
  },
};

for (const [name, { needs = [], list }] of Object.entries(LISTS)) {
  writeCheck('ADDR-LIST-DATA', { case: name, needs }, async (context) => {
    const { expect } = context;
    const answer = await list(context);
    requireOk(answer, 'ADDR-LIST-STATUS');
    expect.object(answer);
    const data = answer.at('/data');
    expect.that(Array.isArray(data), `data is ${short(data)}, not an array`, {
      answer,
      at: '/data',
      expected: 'an array',
      found: short(data),
    });
    for (const [n, item] of (data as unknown[]).entries()) {
      expect.that(isJsonObject(item), `an item of the list is ${short(item)}, not an object`, {
        answer,
        at: `/data/${n}`,
        expected: 'an object',
        found: short(item),
      });
    }
  });

  writeCheck('ADDR-LIST-META', { case: name, needs }, async (context) => {
    const { expect, block } = context;
    const answer = await list(context);
    requireOk(answer, 'ADDR-LIST-STATUS');
    if (!isJsonObject(answer.json)) block('the body of the list is not a JSON object', 'ADDR-LIST-DATA');
    const meta = answer.at('/meta');
    expect.that(isJsonObject(meta), `meta is ${short(meta)}, not an object`, {
      answer,
      at: '/meta',
      expected: 'an object',
      found: short(meta),
    });
  });

  // Some servers divide one number of the meta by another, which may not give a number if there are no
  // addresses.
  writeCheck(Object.values(META_REQUIREMENTS), { case: name, needs }, async (context) => {
    const answer = await list(context);
    requireOk(answer, 'ADDR-LIST-STATUS');
    if (!isJsonObject(answer.at('/meta'))) context.block('the list has no object `meta`', 'ADDR-LIST-META');
    context.expect.fields(answer, schemas, 'AddressList');
  });
}

const NESTED = [...FIELDS.filter((field) => field.nested), ...READ_ONLY_FIELDS];
const OUTER = FIELDS.filter((field) => !field.nested);

writeCheck('ADDR-LIST-ITEM-ADDRESS', async (context) => {
  const { addresses, sharedAddresses, expect, block } = context;
  const all = [await sharedAddresses.full(), await sharedAddresses.sparse(), await specialAddress(context)];
  const ids = all.flatMap((each) => each?.id ?? []);
  for (const { item, page, read } of await listedAndRead(addresses, block, ids)) {
    if (!isJsonObject(item.address)) block('the item has no object `address`', 'ADDR-TEMPLATE-ADDRESS');
    expectSame(expect, item, read, NESTED, page);
  }
});

writeCheck('ADDR-LIST-ITEM-LABELS', { touches: { default: 'alone' } }, async (context) => {
  const { addresses, sharedAddresses, expect, block } = context;
  const all = [
    await sharedAddresses.full(),
    await sharedAddresses.sparse(),
    await sharedAddresses.default(),
    await specialAddress(context),
  ];
  const ids = all.flatMap((each) => each?.id ?? []);
  for (const { item, page, read } of await listedAndRead(addresses, block, ids)) {
    expectSame(expect, item, read, OUTER, page);
  }
});

for (const [id, fields] of [
  ['ADDR-LIST-ITEM-ADDRESS', NESTED],
  ['ADDR-LIST-ITEM-LABELS', OUTER],
] as const) {
  writeCheck(
    id,
    { case: 'later-page', touches: { addresses: 'still' } },
    async ({ addresses, listSnapshot, expect, block }) => {
      const { base } = await listSnapshot.longer(20);
      const query = { page: base + 1, per_page: 20 };
      const { answer, items } = await addresses.page(query, 'list the second page of 20');
      const ids = items.map(idOf).filter((each) => each !== undefined);
      if (ids.length === 0) block('the second page shows no address with an id', 'ADDR-LIST-NO-GAPS');
      // The first, the last and one in between: most of these were made by the suite, with every field.
      for (const itsId of new Set([ids[0]!, ids[Math.floor(ids.length / 2)]!, ids.at(-1)!])) {
        const item = items.find((each) => idOf(each) === itsId)!;
        if (!isJsonObject(item.address)) block('the item has no object `address`', 'ADDR-TEMPLATE-ADDRESS');
        const read = await addresses.read(itsId, 'read an address of the second page');
        // An address of somebody else may have been deleted by now.
        if (isJsonObject(read.at('/data')))
          expectSame(expect, item, read.at('/data') as AddressTemplate, fields, answer);
      }
    },
  );
}

writeCheck('ADDR-LIST-ITEM-CARRIERS', { touches: { clock: 'move' } }, async (context) => {
  const { addresses, verification, block, undecided } = context;
  await verification.verified();
  const carriers = (await verification.carriers()).names.slice(0, 2);
  const { id } = await addresses.create();
  // The list is read before and during the verification, too, so that a stale cache is noticed.
  await addresses.look();
  await verification.started(id, carriers);
  // Compared while the verification goes on, where reads before and after agree, and again once it has ended.
  await listedCarriers(context, id);
  const waited = await verification.wait(id, (entries) =>
    carriers.every((name) => hasOutcome(entries, name, [])),
  );
  if (waited.entries.length === 0) undecided(noOutcome(carriers, waited));
  await verification.settle();
  if ((await verification.entries(id)).entries.length === 0)
    block('the outcome is no longer shown', 'ADDR-VERIFY-OUTCOME');
  for (let tries = 0; tries < 5; tries += 1)
    if (await listedCarriers(context, id)) return carriersOnShortPage(context, id);
  undecided('the verification kept changing while it was looked at');
});

/**
 * Compares the entries in the list with those of a read. Returns false, and compares nothing, where reads
 * before and after the list differ from one another.
 */
async function listedCarriers(context: SuiteContext, id: string): Promise<boolean> {
  const { addresses, verification, expect, block } = context;
  const before = (await verification.entries(id)).entries;
  const [{ item, page }] = (await listedAndRead(addresses, block, [id])) as [Listed];
  const after = (await verification.entries(id)).entries;
  if (!isDeepStrictEqual(sortedEntries(before), sortedEntries(after))) return false;
  const same = isDeepStrictEqual(
    sortedEntries(properEntries(item.verified_carriers)),
    sortedEntries(properEntries(after)),
  );
  const listed = short(item.verified_carriers);
  expect.that(same, `the item's verified_carriers are ${listed}, a read gives ${short(after)}`, {
    answer: page,
    expected: short(after),
    found: listed,
  });
  return true;
}

/**
 * Requires that a page with this address alone shows its entries, too: some servers apply the page's limit to
 * the joined rows of the query, which cuts off entries.
 */
async function carriersOnShortPage({ addresses, verification, expect }: SuiteContext, id: string) {
  const isIt = (item: AddressTemplate) => idOf(item)?.toLowerCase() === id.toLowerCase();
  const at = await placeAfterOthers(addresses, isIt);
  const base = await addresses.base();
  // Other addresses may be saved or deleted meanwhile, which moves this one to a neighbouring page.
  for (const near of [at, at + 1, at - 1, at + 2, at - 2].filter((each) => each >= 0)) {
    const alone = { page: base + near, per_page: 1 };
    const look = () => addresses.list(alone, 'list the page of the address alone');
    const shown = (page: Answer) => {
      const item = page.ok ? pageOf(page).items.find(isIt) : undefined;
      return item && sortedEntries(properEntries(item.verified_carriers));
    };
    const page = await look();
    const listed = shown(page);
    if (!listed) continue;
    const entries = sortedEntries((await verification.entries(id)).entries);
    if (isDeepStrictEqual(listed, entries)) return;
    // The status may have changed between the two.
    if (isDeepStrictEqual(shown(await look()), entries)) return;
    const message = `on a page of one its verified_carriers are ${short(listed)}, a read gives ${short(entries)}`;
    expect.fail(message, { answer: page, expected: short(entries), found: short(listed) });
  }
}

/**
 * Returns the index of an address in the list. A server may build later pages differently from the first. So
 * if the address is the first one, another is created, which may be listed before it.
 */
async function placeAfterOthers(
  addresses: SuiteContext['addresses'],
  isIt: (item: AddressTemplate) => boolean,
) {
  const place = async () => itemsOf(await addresses.walk()).findIndex(isIt);
  const at = await place();
  if (at !== 0) return at;
  await addresses.create({}, 'create an address that may be listed before it');
  return place();
}

/** An address as the list shows it, the page that it is on, and the address as a read shows it. */
interface Listed {
  item: AddressTemplate;
  page: Answer;
  read: AddressTemplate;
}

/** Returns addresses as the list shows them, and as reads do. */
async function listedAndRead(
  addresses: AddressBook,
  block: CheckContext['block'],
  ids: string[],
): Promise<Listed[]> {
  const is = (id: string) => (item: AddressTemplate) => idOf(item)?.toLowerCase() === id.toLowerCase();
  const { pages } = await addresses.lookFor(...ids.map(is));
  const found: Listed[] = [];
  for (const id of ids) {
    const { data: read } = await addresses.stored(id);
    const isIt = is(id);
    const page = pages.find(({ items }) => items.some(isIt));
    if (!page) block('the address is not in the list', 'ADDR-CREATE-LISTED');
    else found.push({ item: page.items.find(isIt)!, page: page.answer, read });
  }
  return found;
}

function expectSame(
  expect: CheckContext['expect'],
  item: AddressTemplate,
  read: AddressTemplate,
  fields: Field[],
  page: Answer,
): void {
  const say = ({ pointer, found, expected }: Difference) =>
    `the item's ${pointer} is ${found}, a read gives ${expected}`;
  expectSameFields(expect, item, read, say, { answer: page, fields });
}
