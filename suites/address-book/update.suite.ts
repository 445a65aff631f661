/** 4.4 Update address: its answer, what it does not touch, and its optional body id. */

import { isDeepStrictEqual } from 'node:util';
import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Touches } from '../../lib/check/touches.ts';
import { short } from '../../lib/check/validator.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { AddressTemplate } from '../../schemas/shipping/index.ts';
import { itemsOf } from '../../services/shipping/api/address-list.ts';
import { type AddressBook, idOf } from '../../services/shipping/api/addresses.ts';
import { keyOf } from '../../services/shipping/api/pages.ts';
import { lookalike, namesake } from '../../services/shipping/fixtures/namesake.ts';
import { PLACE_FIELDS } from '../../services/shipping/fixtures/places.ts';
import { accepted, type Updates } from '../../services/shipping/fixtures/updates.ts';
import { isUuid } from '../../services/shipping/judging/address-ids.ts';
import { properEntries, sortedEntries } from '../../services/shipping/judging/verified-entries.ts';
import {
  differing,
  FIELDS,
  type FieldName,
  fieldNamed,
  READ_ONLY_FIELDS,
  templateOf,
  valueIn,
} from '../../services/shipping/vocabulary.ts';
import { type Difference, expectData, expectSameFields, expectSameId, expectValue } from './answers.ts';
import { check, type SuiteContext } from './suite.ts';

// Making an address the default may take the flag from other addresses.
const writeCheck = check.with({ effects: 'write', touches: { default: 'alone' } });

/** These checks let time pass and change the verified address. */
const VERIFIED: Touches = { clock: 'move', verified: 'alone' };

writeCheck('ADDR-UPDATE-STATUS', async ({ addresses, updates, expect }) => {
  expect.status(await anyUpdate(addresses, updates), 200);
});

writeCheck('ADDR-UPDATE-STATUS', { case: 'fields' }, async ({ updates, expect, block }) => {
  let looked = 0;
  for await (const { answer } of updates.all()) {
    if (!answer.ok) continue;
    looked += 1;
    expect.status(answer, 200);
  }
  if (looked === 0) block('no update of a single field is accepted', 'ADDR-UPDATE-STATUS');
});

writeCheck('ADDR-UPDATE-DATA', async ({ addresses, updates, expect, block }) => {
  const answer = await anyUpdate(addresses, updates);
  if (!answer.ok || answer.status === 204)
    block(`update answered ${answer.status}`, 'ADDR-UPDATE-STATUS', answer);
  expectData(expect, answer);
});

writeCheck('ADDR-UPDATE-SAME-ID', async ({ updates, addresses, expect, block }) => {
  const { id, answer } = accepted(await updates.single('alias_name'));
  expectSameId({ expect, block }, answer, id);
  const read = await addresses.read(String(answer.at('/data/id')), 'read the updated address');
  expect.accepted(read, 'it was updated, and this is the id in the answer');
});

writeCheck('ADDR-UPDATE-ANSWER-CURRENT', async ({ updates, expect, block }) => {
  let looked = 0;
  for await (const { answer, after } of updates.all()) {
    if (!after || typeof answer.at('/data') !== 'object') continue;
    looked += 1;
    const say = ({ pointer, found, expected }: Difference) =>
      `${answer.exchange.purpose}: answered ${pointer} ${found}, a read gives ${expected}`;
    const fields = [...FIELDS, ...READ_ONLY_FIELDS];
    expectSameFields(expect, answer.at('/data'), after.data, say, { answer, at: '/data', fields });
  }
  if (looked === 0) block('no update was answered with an address', 'ADDR-UPDATE-DATA');
});

/**
 * Returns the entries of a verified address before and after an update of its label alone, and the answer to
 * it. The first such update of a run shows most, since it may change the entries.
 */
const relabelled = perRun(
  'shipping: update of a verified address',
  async ({ addresses, verification }: SuiteContext, _nth: number) => {
    const { id } = (await verification.verified()).made;
    await verification.settle();
    const { entries: before } = await verification.entries(id);
    const label = addresses.label();
    const answer = await addresses.update(id, { alias_name: label });
    const { answer: read, entries: after } = await verification.entries(id);
    return { before, label, answer, read, after };
  },
);

writeCheck('ADDR-UPDATE-ANSWER-CURRENT', { case: 'carriers', touches: VERIFIED }, async (context) => {
  const { expect, block, skip } = context;
  for (let tries = 0; tries < 3; tries += 1) {
    const { before, answer, after } = await relabelled(context, tries);
    if (before.length === 0 && tries > 0) break;
    if (before.length === 0) block('the outcome is no longer shown', 'ADDR-VERIFY-OUTCOME');
    if (!answer.ok) skip(`an update of a verified address is answered ${answer.status}`);
    // What an update does to entries is left open; but where the reads agree, its answer has to as well.
    if (!isDeepStrictEqual(sortedEntries(before), sortedEntries(after))) continue;
    const shown = answer.at('/data/verified_carriers');
    return expect.that(
      isDeepStrictEqual(sortedEntries(properEntries(shown)), sortedEntries(properEntries(after))),
      `the update is answered with the verified_carriers ${short(shown)}, reads before and after give ${short(after)}`,
      { answer, at: '/data/verified_carriers', expected: short(after), found: short(shown) },
    );
  }
  skip('updates of this target change the verified carriers');
});

writeCheck('ADDR-UPDATE-SETS-ALIAS-NAME', { case: 'verified', touches: VERIFIED }, async (context) => {
  const { answer, read, label } = await relabelled(context, 0);
  if (!answer.ok) context.skip(`an update of a verified address is answered ${answer.status}`);
  const after = { answer: read, data: read.at('/data') as AddressTemplate };
  expectValue(context.expect, after, fieldNamed('alias_name'), label, answer);
});

writeCheck('ADDR-UPDATE-KEEPS-CARRIERS', { touches: VERIFIED }, async (context) => {
  const { expect, block, skip } = context;
  const { before, answer, after } = await relabelled(context, 0);
  if (before.length === 0) block('the outcome is no longer shown', 'ADDR-VERIFY-OUTCOME');
  if (!answer.ok) skip(`an update of a verified address is answered ${answer.status}`);
  const lost = before.filter(({ carrier_name: name }) => !after.some((each) => each.carrier_name === name));
  expect.that(
    lost.length === 0,
    `after an update of alias_name alone verified_carriers is ${short(after)}, before it was ${short(before)}`,
    { answer, at: '/data/verified_carriers', expected: short(before), found: short(after) },
  );
});

/**
 * Updates whose new values the list has to show, each of one kind of field only: a server may fail to update
 * its index for fields of one kind. Other changes at the same time could make it update the rest.
 */
const LISTED: Record<string, FieldName[]> = {
  outer: ['alias_name'],
  nested: ['name', 'company'],
  // Not the e-mail address: it is the last mark of the run where another check has changed the label.
  rest: ['street1', 'street_number', 'apartment_number', ...PLACE_FIELDS, 'phone', 'reference', 'rfc'],
  flag: ['default'],
};

for (const [kind, names] of Object.entries(LISTED)) {
  const options = { case: kind, touches: { addresses: 'alone', default: 'alone' } } as const;
  writeCheck('ADDR-UPDATE-IN-LIST', options, async ({ addresses, updates, expect, block, skip }) => {
    const { id, data: before } = await updates.any();
    const item = await listedById(addresses, id);
    // Fields that the list shows wrongly from the start say nothing about the update.
    const fields = names.map(fieldNamed).filter((f) => item && !differing(item, before, [f]).includes(f));
    // Of many fields, some may be right by chance.
    if (fields.length === 0 || (kind === 'rest' && fields.length < names.length))
      block('the list does not show the address as it is to begin with', 'ADDR-LIST-ITEM-ADDRESS');
    // An index may have got the first update of an address only.
    if (kind === 'nested') await addresses.updated(id, templateOf(await updates.values(before, names)));
    const changes = await updates.values(before, names);
    const sent = await addresses.update(id, templateOf(changes));
    // A second default address may be refused.
    if (!sent.ok && kind === 'flag') skip(`an update of default is answered ${sent.status}`);
    requireOk(sent, 'ADDR-UPDATE-STATUS');
    const { data: after } = await addresses.stored(id);
    const listed = await listedById(addresses, id);
    if (!listed) return expect.fail(`the updated address ${id} is not in the list`);
    // Where the list shows the value that was sent, the read is out of date rather than the list.
    const behind = fields.filter((f) => valueIn(listed, f) !== changes[f.name]);
    const say = ({ pointer, found, expected }: Difference) =>
      `the list shows ${pointer} ${found} after an update, a read gives ${expected}`;
    expectSameFields(expect, listed, after, say, { fields: behind });
  });
}

const aloneCheck = writeCheck.with({ touches: { addresses: 'alone' } });

/** The fields that are changed in one address, while other addresses have to stay as they are. */
const CHANGED: FieldName[] = ['alias_name', 'name', 'company', 'reference'];

aloneCheck('ADDR-UPDATE-OTHERS-UNTOUCHED', async (context) => {
  const { addresses, updates, sharedAddresses, expect, block } = context;
  await sharedAddresses.full();
  await sharedAddresses.sparse();
  const { id } = await addresses.create();
  const { data } = await addresses.stored(id);
  const walk = await addresses.walk();
  const before = new Map(itemsOf(walk).map((item) => [keyOf(item), item]));
  const hasGaps = Number(walk.pages.at(-1)?.meta.total_count) > before.size;
  const own = new Set(await addresses.remaining());
  const changes = await updates.values(data, CHANGED);
  await addresses.updated(id, templateOf(changes));
  const labels = [changes.alias_name, data.alias_name];
  for (const { answer, item } of await allItems(addresses)) {
    const [was, itsId] = [before.get(keyOf(item)), idOf(item)];
    const say = ({ pointer, found, expected }: Difference) =>
      `the address ${itsId} has ${pointer} ${found} after ${id} was updated, before it had ${expected}`;
    if (was && itsId !== id && !labels.includes(item.alias_name))
      expectSameFields(expect, item, was, say, { answer });
    // An address that no check created, such as a copy. It cannot be recognised where the list shows no ids.
    const isNew = !was && isUuid(itsId) && before.has(id.toLowerCase()) && itsId !== id && !own.has(itsId);
    if (isNew && hasGaps) block('the pages did not show every address before', 'ADDR-LIST-NO-GAPS');
    const where = { answer, expected: 'no new address', found: itsId ?? '' };
    expect.that(!isNew, `the address ${itsId} is new after ${id} was updated`, where);
  }
});

aloneCheck('ADDR-UPDATE-OTHERS-UNTOUCHED', { case: 'alike' }, async ({ addresses, updates, expect }) => {
  const { id, sent } = await addresses.create();
  const { data } = await addresses.stored(id);
  // One address that differs only in its label, and one that has only its label in common.
  const { id: alike } = await lookalike(addresses, sent);
  const { id: named } = await namesake(addresses, { id, sent });
  const before = new Map<string, AddressTemplate>();
  for (const other of [alike, named]) before.set(other, (await addresses.stored(other)).data);
  await addresses.updated(id, templateOf(await updates.values(data, CHANGED)));
  for (const [other, was] of before) {
    const { answer, data: is } = await addresses.stored(other, 'read an address of the same values again');
    const say = ({ pointer, found, expected }: Difference) =>
      `${other} had values of ${id}, which was updated; its ${pointer} is ${found}, before it was ${expected}`;
    expectSameFields(expect, is, was, say, { answer, at: '/data' });
  }
});

/** Returns every item of the list, with the answer that carries it. */
async function allItems(addresses: AddressBook) {
  return (await addresses.walk()).pages.flatMap(({ answer, items }) =>
    items.map((item) => ({ answer, item })),
  );
}

writeCheck('ADDR-UPDATE-BODY-ID', async ({ addresses, updates, expect }) => {
  accepted(await updates.single('alias_name'));
  const { id, data } = await updates.any();
  const changes = await updates.values(data, ['alias_name']);
  const answer = await addresses.update(id, templateOf(changes), { id }, 'update with the id in the body');
  if (!answer.ok) await addresses.updated(id, templateOf(changes));
  expect.accepted(answer, 'the body may carry the id of the path');
  const after = await addresses.stored(id);
  if (await updates.works('alias_name'))
    expectValue(expect, after, fieldNamed('alias_name'), changes.alias_name, answer);
});

writeCheck('ADDR-UPDATE-BODY-ID-OPTIONAL', async ({ addresses, updates, expect }) => {
  const { id, changes, answer } = await updates.single('alias_name');
  if (answer.ok) return;
  const withId = await addresses.update(id, templateOf(changes), { id }, 'update with the id in the body');
  requireOk(withId, 'ADDR-UPDATE-STATUS');
  expect.accepted(answer, 'the id in the body is optional');
});

for (const [id, name, template] of [
  ['ADDR-UPDATE-EMPTY-TEMPLATE', 'address_template', {}],
  ['ADDR-UPDATE-EMPTY-ATTRIBUTES', 'address_attributes', { address_attributes: {} }],
] as const) {
  writeCheck(id, async ({ addresses, updates, expect }) => {
    const { id: address, data: before } = await updates.start('full', true);
    const sent = await addresses.update(address, template, {}, `update with empty ${name}`);
    const { answer, data: after } = await addresses.stored(address);
    const say = ({ pointer, found, expected }: Difference) =>
      `${pointer} is ${found} after an update with empty ${name} (answered ${sent.status}), before it was ${expected}`;
    expectSameFields(expect, after, before, say, { answer, at: '/data' });
  });
}

/** Returns the answer to the first valid update that is accepted, or, where none is, to the last one. */
async function anyUpdate(addresses: AddressBook, updates: Updates): Promise<Answer> {
  for (const name of ['alias_name', 'name', 'company'] as const) {
    const { answer } = await updates.single(name);
    if (answer.ok) return answer;
  }
  const { answer, changes } = await updates.complete('alias_name');
  if (answer.ok) return answer;
  const { id } = await updates.any();
  const withId = await addresses.update(
    id,
    templateOf(changes),
    { id },
    'update everything, with the id in the body',
  );
  return withId.ok ? withId : answer;
}

async function listedById(addresses: AddressBook, id: string): Promise<AddressTemplate | undefined> {
  return addresses.listed((item) => idOf(item)?.toLowerCase() === id.toLowerCase());
}
