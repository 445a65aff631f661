/** 1 and 4.4: an update that sends, beside a change, what the address has already, as the form of a client does. */
import type { NewAddress } from '../../services/shipping/fixtures/address-data.ts';
import { FIELDS, fieldNamed, isShown, valueIn, valuesOf } from '../../services/shipping/vocabulary.ts';
import { type Difference, expectSameFields, expectValue } from './answers.ts';
import { check, type SuiteContext } from './suite.ts';

// Making an address the default may take the flag from other addresses.
const writeCheck = check.with({ effects: 'write', touches: { default: 'alone' } });

writeCheck('ADDR-UPDATE-SAME-VALUES', async (context) => {
  const { addresses, updates, expect, block } = context;
  if (!(await updates.works('company'))) block('company alone cannot be updated', 'ADDR-UPDATE-SETS-COMPANY');
  const { id, sent } = await savedAddress(context);
  const { data: before } = await addresses.stored(id);
  const company = `Empresa ${addresses.nth()}`;
  const changes = { ...sent, address_attributes: { ...sent.address_attributes, company } };
  const purpose = 'update with another company and all values that it was created with';
  const answer = await addresses.update(id, changes, {}, purpose);
  expect.accepted(answer, 'a create took these values for this address, and an update takes the same fields');
  const after = await addresses.stored(id);
  expectValue(expect, after, fieldNamed('company'), company, answer);
  const say = ({ pointer, found, expected }: Difference) =>
    `${pointer} is ${found} after an update that sent the value it had, before it was ${expected}`;
  // What the create has altered is the subject of other requirements.
  const values = valuesOf(changes);
  const fields = FIELDS.filter((field) => isShown(field, valueIn(before, field), values[field.name]));
  expectSameFields(expect, after.data, before, say, { answer: after.answer, at: '/data', fields });
});

/** Creates an address, the default one where the target takes that, and returns what was sent. */
async function savedAddress({ addresses, updates }: SuiteContext): Promise<{ id: string; sent: NewAddress }> {
  const sent = updates.toSend('full', true);
  const answer = await addresses.post({ address_template: sent }, 'create an address to be sent again');
  if (answer.ok) return addresses.made(sent, answer);
  return addresses.create({ default: false }, 'create an address to be sent again');
}
