/** 4.4: every field of an update is optional; each is left out of an update that is accepted with all of them. */

import type { Answer } from '../../lib/http/answer.ts';
import type { AddressBook } from '../../services/shipping/api/addresses.ts';
import { FIELD_REQUIREMENTS } from '../../services/shipping/field-requirements.ts';
import type { Updates } from '../../services/shipping/fixtures/updates.ts';
import { FIELDS, type FieldName, templateOf, type Values } from '../../services/shipping/vocabulary.ts';
import { check } from './suite.ts';

// Updates of `default` may take it from other addresses.
const writeCheck = check.with({ effects: 'write', touches: { default: 'alone' } });

writeCheck('ADDR-UPDATE-OPTIONAL-ADDRESS-ATTRIBUTES', async ({ addresses, updates, expect, block }) => {
  const { id, whole } = await wholeUpdate(addresses, updates);
  const outer = templateOf({
    alias_name: whole.alias_name,
    address_type: whole.address_type,
    default: whole.default,
  });
  const answer = await addresses.update(id, outer, {}, 'update without address_attributes');
  // A server that demands one of the fields in it misses that one.
  const nested = answer.ok ? [] : FIELDS.filter((field) => field.nested);
  for (const { name } of nested)
    if (!(await without(name, addresses, updates)).ok)
      block(`an update without ${name} alone is refused as well`, FIELD_REQUIREMENTS[name].updateOptional);
  expect.accepted(answer, 'it is optional');
});

for (const field of FIELDS) {
  writeCheck(FIELD_REQUIREMENTS[field.name].updateOptional, async ({ addresses, updates, expect }) => {
    const answer = await without(field.name, addresses, updates);
    expect.accepted(answer, `${field.name} is optional, and with it the update was accepted`);
  });
}

/** The answer to an update of everything but one field. */
function without(field: FieldName, addresses: AddressBook, updates: Updates): Promise<Answer> {
  return updates.once(`without-${field}`, async () => {
    const { id, whole } = await wholeUpdate(addresses, updates);
    const { [field]: _, ...rest } = whole;
    return addresses.update(id, templateOf(rest), {}, `update everything but ${field}`);
  });
}

/** An accepted update of every field, and the address that it changed: the twin of updates that lack one field. */
function wholeUpdate(addresses: AddressBook, updates: Updates): Promise<{ id: string; whole: Values }> {
  return updates.once('whole', async () => {
    const { id, data } = await updates.start('full');
    const changing: FieldName[] = FIELDS.map(({ name }) => name).filter((name) => name !== 'default');
    const whole: Values = { ...(await updates.values(data, changing)), default: false };
    await addresses.updated(id, templateOf(whole));
    return { id, whole };
  });
}
