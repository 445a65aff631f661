/** 4.4: every field of an update is optional; each is left out of one that is accepted with all of them. */

import type { AddressBook } from '../../services/shipping/api/addresses.ts';
import { FIELD_REQUIREMENTS } from '../../services/shipping/field-requirements.ts';
import type { Updates } from '../../services/shipping/fixtures/updates.ts';
import { FIELDS, type FieldName, templateOf, type Values } from '../../services/shipping/vocabulary.ts';
import { check } from './suite.ts';

// Updates of `default` may take it from other addresses.
const writeCheck = check.with({ effects: 'write', touches: { default: 'alone' } });

writeCheck('ADDR-UPDATE-OPTIONAL-ADDRESS-ATTRIBUTES', async ({ addresses, updates, expect }) => {
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
});

for (const field of FIELDS) {
  writeCheck(FIELD_REQUIREMENTS[field.name].updateOptional, async ({ addresses, updates, expect }) => {
    const { id, whole } = await wholeUpdate(addresses, updates);
    const { [field.name]: _, ...rest } = whole;
    const answer = await addresses.update(id, templateOf(rest), {}, `update everything but ${field.name}`);
    expect.accepted(answer, `${field.name} is optional, and with it the update was accepted`);
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
