/** 4.4 Update address: what is sent is changed, whichever of the fields it is; nothing is demanded. */
import type { CheckContext } from '../../lib/check/context.ts';
import { Blocked } from '../../lib/check/verdict.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { short } from '../../lib/schema/validator.ts';
import type { AddressTemplate } from '../../schemas/shipping/index.ts';
import { type AddressBook, idOf, shows } from '../support/shipping/addresses.ts';
import {
  differing,
  FIELDS,
  type Field,
  type FieldName,
  fieldNamed,
  READ_ONLY_FIELDS,
  templateOf,
  typedValue,
  type Values,
  valueIn,
} from '../support/shipping/fields.ts';
import { ALTERATIONS, isUuid, unknownId, unoccupied } from '../support/shipping/ids.ts';
import { keyOf } from '../support/shipping/pages.ts';
import { fixedValue } from '../support/shipping/second-values.ts';
import { accepted, SPARSE_SINGLES, type Update, type Updates } from '../support/shipping/updates.ts';
import { expectData, expectSameId } from './answers.ts';
import { check } from './suite.ts';

check('ADDR-UPDATE-STATUS', { effects: 'write' }, async ({ addresses, updates, expect }) => {
  expect.status(await anyUpdate(addresses, updates), 200);
});

check('ADDR-UPDATE-DATA', { effects: 'write' }, async ({ addresses, updates, expect, block }) => {
  const answer = await anyUpdate(addresses, updates);
  if (!answer.ok || answer.status === 204) block(`update answered ${answer.status}`, 'ADDR-UPDATE-STATUS');
  expectData(expect, answer);
});

check('ADDR-UPDATE-SAME-ID', { effects: 'write' }, async ({ updates, addresses, expect, block }) => {
  const { id, answer } = accepted(await updates.single('alias_name'));
  expectSameId({ expect, block }, answer, id);
  expect.accepted(await addresses.read(id, 'read the updated address'), 'it was updated, under the same id');
});

check('ADDR-UPDATE-ANSWER-CURRENT', { effects: 'write' }, async ({ updates, expect, block }) => {
  let looked = 0;
  for await (const { answer, after } of updates.all()) {
    if (!after || typeof answer.at('/data') !== 'object') continue;
    looked += 1;
    const [field] = differing(answer.at('/data'), after.data, [...FIELDS, ...READ_ONLY_FIELDS]);
    if (!field) continue;
    const [found, expected] = [short(valueIn(answer.at('/data'), field)), short(valueIn(after.data, field))];
    expect.fail(`${answer.exchange.purpose}: answered ${field.pointer} ${found}, a read gives ${expected}`, {
      answer,
      at: `/data${field.pointer}`,
      expected,
      found,
    });
  }
  if (looked === 0) block('no update was answered with an address', 'ADDR-UPDATE-DATA');
});

check('ADDR-UPDATE-IN-LIST', { effects: 'write' }, async ({ addresses, updates, expect, block }) => {
  const names: FieldName[] = ['alias_name', 'name', 'company'];
  const { id, data: before } = await updates.start('full');
  const item = await listedById(addresses, id);
  // Fields that the list shows wrongly from the start say nothing about the update.
  const fields = names.map(fieldNamed).filter((f) => item && !differing(item, before, [f]).includes(f));
  if (fields.length === 0)
    block('the list does not show the address as it is to begin with', 'ADDR-LIST-ITEM-ADDRESS');
  await addresses.updated(id, templateOf(await updates.values(before, names)));
  const { data: after } = await addresses.stored(id);
  const listed = await listedById(addresses, id);
  if (!listed) return expect.fail(`the updated address ${id} is not in the list`);
  const [field] = differing(listed, after, fields);
  if (!field) return;
  const [found, expected] = [short(valueIn(listed, field)), short(valueIn(after, field))];
  expect.fail(`the list shows ${field.pointer} ${found} after an update, a read gives ${expected}`, {
    expected,
    found,
  });
});

check(
  'ADDR-UPDATE-OTHERS-UNTOUCHED',
  { effects: 'write' },
  async ({ addresses, updates, shared, expect }) => {
    await shared.full();
    await shared.sparse();
    const { id, data } = await updates.start('full');
    const before = new Map((await addresses.items()).map((item) => [keyOf(item), item]));
    const made = new Set(await addresses.living());
    const changes = await updates.values(data, ['alias_name', 'name', 'company', 'reference']);
    await addresses.updated(id, templateOf(changes));
    for (const page of await addresses.all()) {
      for (const item of page.items) {
        const was = before.get(keyOf(item));
        const itsId = idOf(item);
        const labels = [changes.alias_name, data.alias_name];
        if (was && itsId !== id && !labels.includes(item.alias_name)) {
          const [field] = differing(was, item);
          if (!field) continue;
          const [found, expected] = [short(valueIn(item, field)), short(valueIn(was, field))];
          const message = `the address ${itsId} has ${field.pointer} ${found} after ${id} was updated, before it had ${expected}`;
          expect.fail(message, { answer: page.answer, expected, found });
        }
        // A copy of it, or one that nobody made; where the list has no ids, nothing can be said.
        const isNew =
          !was && isUuid(itsId) && before.has(id.toLowerCase()) && itsId !== id && !made.has(itsId);
        expect.that(!isNew, `the address ${itsId} is new after ${id} was updated`, {
          answer: page.answer,
          expected: 'no new address',
          found: itsId ?? '',
        });
      }
    }
  },
);

for (const field of FIELDS) {
  check(`ADDR-UPDATE-SETS-${field.key}`, { effects: 'write' }, async ({ updates, expect }) => {
    await expectSet({ updates, expect }, field, await updates.single(field.name));
    if (SPARSE_SINGLES.includes(field.name))
      await expectSet({ updates, expect }, field, await updates.single(field.name, 'sparse'));
  });
}

check(
  'ADDR-UPDATE-SETS-DEFAULT',
  { case: 'to-false', effects: 'write' },
  async ({ addresses, updates, expect }) => {
    const { id, data } = await updates.start('full', true);
    const field = fieldNamed('default');
    const { id: other } = await updates.start('full', true);
    const { data: then } = await addresses.stored(id);
    // Where only one address is the default at a time, taking the flag from it may be refused or undone.
    if (typedValue(data, field) !== true || typedValue(then, field) !== true) return;
    await addresses.stored(other);
    await addresses.updated(id, { default: false });
    const { answer, data: after } = await addresses.stored(id);
    expect.equal(typedValue(after, field), false, '/default after an update to false', {
      answer,
      at: '/data/default',
    });
  },
);

check('ADDR-UPDATE-SETS-REFERENCE', { case: 'letters', effects: 'write' }, async (context) => {
  const { addresses, updates, expect } = context;
  const { id } = await updates.start('full');
  const text = `Junto al jardín de niños "Ñandú" & Cía ${addresses.nth()}`;
  const field = fieldNamed('reference');
  // What create does not take or keep says nothing about the update.
  const sent = addresses.fresh({ address_attributes: { reference: text } });
  const created = await addresses.post({ address_template: sent }, 'create with accents in reference');
  if (!created.ok) return;
  const { id: twin } = await addresses.made(sent, created);
  if (typedValue((await addresses.stored(twin)).data, field) !== text) return;
  const answer = await addresses.updated(id, templateOf({ reference: text }));
  expectValue(expect, await addresses.stored(id), field, text, answer);
});

check('ADDR-UPDATE-COMBINED', { effects: 'write' }, async ({ updates, expect, block }) => {
  const working = new Set<FieldName>();
  for (const { name } of FIELDS) if (await updates.works(name)) working.add(name);
  const { answer: alone } = await updates.single('alias_name');
  if (working.size === 0 && !alone.ok)
    block(`no field can be changed alone: ${alone.status}`, 'ADDR-UPDATE-STATUS');
  for await (const { answer, changes, after } of updates.combined()) {
    // A field that cannot even be changed alone is the fault of another requirement, unless all are alike.
    const fields = FIELDS.filter(({ name }) => name in changes && (working.size === 0 || working.has(name)));
    if (fields.length > 1) expect.accepted(answer, 'each of its fields is accepted alone');
    if (after) for (const field of fields) expectValue(expect, after, field, changes[field.name], answer);
  }
});

check('ADDR-UPDATE-SUCCESSIVE', { effects: 'write' }, async ({ addresses, updates, expect, block }) => {
  const names: FieldName[] = [];
  for (const name of ['alias_name', 'name', 'company', 'phone'] as FieldName[])
    if (await updates.works(name)) names.push(name);
  if (names.length < 2) block('fewer than two fields can be changed alone', 'ADDR-UPDATE-STATUS');
  const unkept = await updates.unkept();
  const { id, data } = await updates.start('full');
  const changes = await updates.values(data, names);
  for (const name of names) await addresses.updated(id, templateOf({ [name]: changes[name] }));
  const after = await addresses.stored(id, 'read after updates of one field after the other');
  const fields = names.filter((name) => !unkept.has(name)).map(fieldNamed);
  if (fields.length === 0)
    block(
      'no field is kept by an update that does not send it',
      `ADDR-UPDATE-OMITTED-KEPT-${fieldNamed(names[0]!).key}`,
    );
  for (const field of fields) expectValue(expect, after, field, changes[field.name], after.answer);
});

check('ADDR-UPDATE-BODY-ID', { effects: 'write' }, async ({ addresses, updates, expect }) => {
  accepted(await updates.single('alias_name'));
  const { id, data } = await updates.start('full');
  const changes = await updates.values(data, ['alias_name']);
  const answer = await addresses.update(id, templateOf(changes), { id }, 'update with the id in the body');
  expect.accepted(answer, 'the body may carry the id of the path');
  const after = await addresses.stored(id);
  if (await updates.works('alias_name'))
    expectValue(expect, after, fieldNamed('alias_name'), changes.alias_name, answer);
});

check('ADDR-UPDATE-BODY-ID-OPTIONAL', { effects: 'write' }, async ({ addresses, updates, expect, block }) => {
  const { id, changes, answer } = await updates.single('alias_name');
  if (answer.ok) return;
  const withId = await addresses.update(id, templateOf(changes), { id }, 'update with the id in the body');
  if (!withId.ok)
    block(`update answered ${answer.status}, with and without an id in the body`, 'ADDR-UPDATE-STATUS');
  expect.accepted(answer, 'the id in the body is optional');
});

check(
  'ADDR-UPDATE-OPTIONAL-ADDRESS-ATTRIBUTES',
  { effects: 'write' },
  async ({ addresses, updates, expect }) => {
    const { id, whole } = await wholeUpdate(addresses, updates);
    const outer = templateOf({
      alias_name: whole.alias_name,
      address_type: whole.address_type,
      default: whole.default,
    });
    expect.accepted(
      await addresses.update(id, outer, {}, 'update without address_attributes'),
      'it is optional',
    );
  },
);

for (const field of FIELDS) {
  check(`ADDR-UPDATE-OPTIONAL-${field.key}`, { effects: 'write' }, async ({ addresses, updates, expect }) => {
    const { id, whole } = await wholeUpdate(addresses, updates);
    const { [field.name]: _, ...rest } = whole;
    const answer = await addresses.update(id, templateOf(rest), {}, `update everything but ${field.name}`);
    expect.accepted(answer, `${field.name} is optional, and with it the update was accepted`);
  });
}

for (const [id, name, template] of [
  ['ADDR-UPDATE-EMPTY-TEMPLATE', 'address_template', {}],
  ['ADDR-UPDATE-EMPTY-ATTRIBUTES', 'address_attributes', { address_attributes: {} }],
] as const) {
  check(id, { effects: 'write' }, async ({ addresses, updates, expect }) => {
    const { id: address, data: before } = await updates.start('full', true);
    const sent = await addresses.update(address, template, {}, `update with empty ${name}`);
    const { answer, data: after } = await addresses.stored(address);
    const changed = differing(before, after);
    if (changed.length === 0) return;
    const field = changed[0];
    const [found, expected] = [short(valueIn(after, field!)), short(valueIn(before, field!))];
    expect.fail(
      `${field!.pointer} is ${found} after an update with empty ${name} (answered ${sent.status}), before it was ${expected}`,
      {
        answer,
        at: `/data${field!.pointer}`,
        expected,
        found,
      },
    );
  });
}

check('ADDR-UPDATE-UNKNOWN-REFUSED', { effects: 'write' }, async ({ addresses, updates, faker, expect }) => {
  const { id, changes } = accepted(await updates.single('alias_name'));
  const unknown = unknownId(faker, id);
  const answer = await addresses.update(unknown, templateOf(changes), {}, 'update an id that nobody has');
  const read = await addresses.read(unknown, 'read the id that nobody has');
  if (shows(read, unknown)) await addresses.adopt(unknown);
  expect.refused(answer, 'no address has this id');
  const appeared = shows(read, unknown);
  expect.that(!appeared, 'an address appeared under the id that nobody had', {
    answer: read,
    expected: 'no address',
    found: unknown,
  });
});

check('ADDR-UPDATE-DELETED-REFUSED', { effects: 'write' }, async ({ addresses, updates, expect, block }) => {
  const { id, data } = await updates.start('full');
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
  check(
    'ADDR-UPDATE-EXACT-ID',
    { case: name, effects: 'write' },
    async ({ addresses, updates, shared, expect }) => {
      accepted(await updates.single('alias_name'));
      const { id, read } = await shared.target('update');
      const before = read.data;
      const { id: altered } = await unoccupied(addresses, alter(id));
      const changes = await updates.values(before, ['alias_name', 'company']);
      const sent = await addresses.update(altered, templateOf(changes), {}, 'update a similar id');
      if (shows(sent, altered)) await addresses.adopt(altered);
      const { answer, data: after } = await addresses.stored(id);
      const [field] = differing(before, after);
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
  { name: null },
  { country_code: 'Mexico' },
  { email: 'not an email' },
  { postal_code: '' },
  { alias_name: null },
];

check('ADDR-UPDATE-ATOMIC', { effects: 'write' }, async ({ addresses, updates, expect, skip }) => {
  for (const bad of UNACCEPTABLE) {
    const { id, data: before } = await updates.start('full');
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
    if (!field) return;
    expect.fail(`the update was refused with ${answer.status}, and ${field.pointer} changed all the same`, {
      answer,
      at: `/data${field.pointer}`,
      expected: short(valueIn(before, field)),
      found: short(valueIn(after, field)),
    });
  }
  skip('the target refuses none of the values that were tried');
});

/** The answer to the first of several valid updates that is accepted; where none is, the last one. */
async function anyUpdate(addresses: AddressBook, updates: Updates): Promise<Answer> {
  for (const name of ['alias_name', 'name', 'company'] as const) {
    const { answer } = await updates.single(name);
    if (answer.ok) return answer;
  }
  const { answer, changes } = await updates.complete('alias_name');
  if (answer.ok) return answer;
  const { id } = await updates.start('full');
  const withId = await addresses.update(
    id,
    templateOf(changes),
    { id },
    'update everything, with the id in the body',
  );
  return withId.ok ? withId : answer;
}

/** The field has the value that the update sent. */
async function expectSet(
  { updates, expect }: { updates: Updates; expect: CheckContext['expect'] },
  field: Field,
  update: Update,
): Promise<void> {
  const { answer, after, changes } = update;
  // Sent the value that it had, it may as well read as it did before.
  const isSame = after !== undefined && valueIn(after.data, field) === valueIn(update.before, field);
  if (isSame && changes[field.name] === fixedValue(field.name)) return;
  if (after) return expectValue(expect, after, field, changes[field.name], answer);
  // Refused: because of this field, or because of what the update does not send?
  const whole = await updates.complete(field.name);
  if (whole.answer.ok)
    throw new Blocked(
      `alone it is answered ${answer.status}, among all other fields it is taken`,
      'ADDR-UPDATE-STATUS',
    );
  const other = await updates.complete(field.name === 'alias_name' ? 'name' : 'alias_name');
  const others = await updates.single(field.name === 'alias_name' ? 'name' : 'alias_name');
  if (!other.answer.ok && !others.answer.ok)
    throw new Blocked(`other updates are answered ${others.answer.status} as well`, 'ADDR-UPDATE-STATUS');
  expect.accepted(answer, `${field.name} may be updated`);
}

function expectValue(
  expect: CheckContext['expect'],
  after: { answer: Answer; data: AddressTemplate },
  field: Field,
  value: unknown,
  sent: Answer,
): void {
  expect.equal(typedValue(after.data, field), value, `${field.pointer} after "${sent.exchange.purpose}"`, {
    answer: after.answer,
    at: `/data${field.pointer}`,
  });
}

/** An update of everything that was accepted, and the address that it was made on; the twin of those that leave out one field. */
function wholeUpdate(addresses: AddressBook, updates: Updates): Promise<{ id: string; whole: Values }> {
  return updates.once('whole', async () => {
    const { id, data } = await updates.start('full');
    const changing: FieldName[] = FIELDS.map(({ name }) => name).filter((name) => name !== 'default');
    const whole: Values = { ...(await updates.values(data, changing)), default: false };
    await addresses.updated(id, templateOf(whole));
    return { id, whole };
  });
}

async function listedById(addresses: AddressBook, id: string): Promise<AddressTemplate | undefined> {
  return addresses.listed((item) => idOf(item)?.toLowerCase() === id.toLowerCase());
}
