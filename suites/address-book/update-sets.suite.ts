/** 4.4: an update changes each field that it sends. */

import { requireOk } from '../../lib/check/require.ts';
import { short } from '../../lib/check/validator.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { Blocked, Skipped } from '../../lib/model/verdict.ts';
import { isPlaceField, PLACE_FIELDS } from '../../services/shipping/fixtures/places.ts';
import { fixedValue } from '../../services/shipping/fixtures/second-values.ts';
import { fellBack, SPARSE_SINGLES, type Update } from '../../services/shipping/fixtures/updates.ts';
import { FIELD_REQUIREMENTS } from '../../services/shipping/requirement-ids/field-requirements.ts';
import {
  FIELDS,
  type Field,
  type FieldName,
  fieldNamed,
  templateOf,
  typedValue,
  valueIn,
  valuesOf,
} from '../../services/shipping/vocabulary.ts';
import { expectValue } from './answers.ts';
import { becomesDefault } from './becomes-default.ts';
import { check, type SuiteContext } from './suite.ts';

// Making an address the default may take the flag from other addresses.
const writeCheck = check.with({ effects: 'write', touches: { default: 'alone' } });

for (const field of FIELDS) {
  writeCheck(FIELD_REQUIREMENTS[field.name].updateSets, async ({ addresses, updates, expect }) => {
    await expectSet({ addresses, updates, expect }, field, await updates.single(field.name));
    if (SPARSE_SINGLES.includes(field.name))
      await expectSet({ addresses, updates, expect }, field, await updates.single(field.name, 'sparse'));
  });
}

writeCheck('ADDR-UPDATE-SETS-DEFAULT', { case: 'to-false' }, async ({ addresses, updates, expect, skip }) => {
  const { id, data } = await updates.start('full', true);
  const field = fieldNamed('default');
  const { id: other } = await updates.start('full', true);
  const { data: then } = await addresses.stored(id);
  // Where there can be only one default address, taking the flag from it may be refused or undone.
  if (typedValue(data, field) !== true || typedValue(then, field) !== true) return;
  await addresses.stored(other);
  const sent = await addresses.update(id, { default: false });
  // Only the flag of another address may take it away.
  if (sent.status >= 400 && sent.status < 500)
    skip(`an update of default to false is answered ${sent.status}`);
  requireOk(sent, 'ADDR-UPDATE-STATUS');
  const { answer, data: after } = await addresses.stored(id);
  expect.equal(typedValue(after, field), false, '/default after an update to false', {
    answer,
    at: '/data/default',
  });
});

writeCheck('ADDR-UPDATE-SETS-NAME', { case: 'back' }, async ({ addresses, updates, expect, block }) => {
  if (!(await updates.works('name'))) block('name alone cannot be updated', 'ADDR-UPDATE-SETS-NAME');
  const { id, data: first } = await updates.start('full');
  await addresses.updated(id, templateOf(await updates.values(first, ['name'])));
  const name = valueIn(first, fieldNamed('name'));
  if (!name) block('the address was created without its name', 'ADDR-CREATE-KEEPS-NAME');
  const answer = await addresses.update(id, templateOf({ name }), {}, 'update name back to the first value');
  expect.accepted(answer, 'name may be updated, and the address was created with this value');
  expectValue(expect, await addresses.stored(id), fieldNamed('name'), name, answer);
});

const LEADING_ZERO = { case: 'leading-zero' };

writeCheck(
  PLACE_FIELDS.map((name) => FIELD_REQUIREMENTS[name].updateSets),
  LEADING_ZERO,
  async ({ addresses, sharedAddresses, expect }) => {
    const twin = await sharedAddresses.capital();
    const place = valuesOf(twin.sent);
    // An address of its own: others are updated next to plain ones, and this place has accented letters.
    const { id } = await addresses.create({}, 'create an address to move');
    const values = Object.fromEntries(PLACE_FIELDS.map((name) => [name, place[name]]));
    const sent = await addresses.updated(id, templateOf(values));
    const { answer, data } = await addresses.stored(id);
    const moved = PLACE_FIELDS.map(fieldNamed).filter((f) => typedValue(data, f) !== place[f.name]);
    for (const field of moved) {
      const { name } = field;
      expect.soft(FIELD_REQUIREMENTS[name].updateSets, (own) => {
        // Names of places may be stored in another form, also by a create. No form of a code is without its zero.
        if (name === 'postal_code' || typedValue(twin.read.data, field) === place[name])
          expectValue(own, { answer, data }, field, place[name], sent);
      });
    }
  },
);

writeCheck('ADDR-UPDATE-OMITTED-KEPT-POSTAL-CODE', LEADING_ZERO, async (context) => {
  const { addresses, sharedAddresses, expect, block } = context;
  const { id, sent, read } = await sharedAddresses.capital();
  const [field, code] = [fieldNamed('postal_code'), sent.address_attributes.postal_code];
  if (valueIn(read.data, field) !== code)
    block('the address was created without its postal code', 'ADDR-CREATE-KEEPS-POSTAL-CODE');
  const answer = await addresses.updated(id, { alias_name: addresses.label() });
  expectValue(expect, await addresses.stored(id), field, code, answer);
});

writeCheck('ADDR-UPDATE-COMBINED', async ({ updates, expect, block }) => {
  const working = new Set<FieldName>();
  for (const { name } of FIELDS) if (await updates.works(name)) working.add(name);
  const { answer: alone } = await updates.single('alias_name');
  if (working.size === 0 && !alone.ok)
    block(`no field can be changed alone: ${alone.status}`, 'ADDR-UPDATE-STATUS');
  for await (const { answer, changes, before, after } of updates.combined()) {
    // A field that cannot even be changed alone violates another requirement, unless no field can be.
    const fields = FIELDS.filter(({ name }) => name in changes && (working.size === 0 || working.has(name)));
    // A second default address may be refused, and that the only one gives the flag away.
    const isOpen = changes.default === true || (changes.default === false && before.default === true);
    if (fields.length > 1 && !isOpen) expect.accepted(answer, 'each of its fields is accepted alone');
    if (after) for (const field of fields) expectValue(expect, after, field, changes[field.name], answer);
  }
});

writeCheck('ADDR-UPDATE-SUCCESSIVE', async ({ addresses, updates, expect, block }) => {
  const names: FieldName[] = [];
  for (const name of ['alias_name', 'name', 'company', 'phone'] as FieldName[])
    if (await updates.works(name)) names.push(name);
  if (names.length < 2) block('fewer than two fields can be changed alone', 'ADDR-UPDATE-STATUS');
  const unkept = await updates.unkept();
  const { id, data } = await updates.any();
  const changes = await updates.values(data, names);
  for (const name of names) await addresses.updated(id, templateOf({ [name]: changes[name] }));
  const after = await addresses.stored(id, 'read after updates of one field after the other');
  const fields = names.filter((name) => !unkept.has(name)).map(fieldNamed);
  if (fields.length === 0)
    block(
      'no field is kept by an update that does not send it',
      FIELD_REQUIREMENTS[names[0]!].updateKeepsOmitted,
    );
  for (const field of fields) expectValue(expect, after, field, changes[field.name], after.answer);
});

writeCheck('ADDR-UPDATE-SUCCESSIVE', { case: 'each-field' }, async ({ updates, expect, block }) => {
  let looked = 0;
  for await (const update of updates.all()) {
    const { changes, answer, after } = update;
    if (!after) continue;
    looked += 1;
    for (const field of FIELDS.filter(({ name }) => !(name in changes)))
      expect.that(
        !fellBack(update, field),
        `after "${answer.exchange.purpose}", which did not send it, ${field.pointer} is again what it was before an earlier update set it`,
        { answer: after.answer, at: `/data${field.pointer}`, expected: short(valueIn(update.before, field)) },
      );
  }
  if (looked === 0) block('no update was accepted', 'ADDR-UPDATE-STATUS');
});

/** Returns another field of the same object. */
function siblingOf({ name, nested }: Field): FieldName {
  if (nested) return name === 'name' ? 'company' : 'name';
  return name === 'alias_name' ? 'address_type' : 'alias_name';
}

/** Fails where a field is refused alone, though not with all others, and another field is accepted alone. */
async function expectAlone(
  { updates, expect }: Pick<SuiteContext, 'updates' | 'expect'>,
  field: Field,
  answer: Answer,
): Promise<void> {
  const sibling = siblingOf(field);
  // Fields of one place may have to fit together.
  if (isPlaceField(field.name) || !(await updates.single(sibling)).answer.ok)
    throw new Blocked(
      `alone it is answered ${answer.status}, together with all other fields it is accepted`,
      'ADDR-UPDATE-STATUS',
      answer.exchange,
    );
  expect.accepted(answer, `all fields are optional, and ${sibling} may be sent alone`);
}

/** Requires that the field has the value that the update sent. */
async function expectSet(
  { addresses, updates, expect }: Pick<SuiteContext, 'addresses' | 'updates' | 'expect'>,
  field: Field,
  update: Update,
): Promise<void> {
  const { answer, after, changes } = update;
  // Where the update sent the value that the field had already, nothing can be seen.
  const isSame = after !== undefined && valueIn(after.data, field) === valueIn(update.before, field);
  if (isSame && changes[field.name] === fixedValue(field.name)) return;
  if (after) return expectValue(expect, after, field, changes[field.name], answer);
  // A service may verify that the fields of a place belong together; then they are updated together.
  const moved = isPlaceField(field.name) ? await updates.moved() : undefined;
  if (moved?.after) return expectValue(expect, moved.after, field, moved.changes[field.name], moved.answer);
  if (changes[field.name] === valueIn(update.before, field))
    throw new Skipped(`an update to the value it has, which changes nothing, is answered ${answer.status}`);
  if (field.name === 'default' && changes.default === true)
    return becomesDefault({ addresses, expect }, update);
  // The update was refused, either because of this field or because of what it does not send.
  if ((await updates.complete(field.name)).answer.ok) return expectAlone({ updates, expect }, field, answer);
  const other = await updates.complete(field.name === 'alias_name' ? 'name' : 'alias_name');
  const others = await updates.single(field.name === 'alias_name' ? 'name' : 'alias_name');
  if (!other.answer.ok && !others.answer.ok)
    throw new Blocked(`other updates are answered ${others.answer.status} as well`, 'ADDR-UPDATE-STATUS');
  // The target may take only so many updates: what was accepted before is repeated.
  const again = others.answer.ok ? others : other;
  await addresses.updated(again.id, templateOf(again.changes));
  expect.accepted(answer, `${field.name} may be updated`);
}
