/** 4.3: texts that look like numbers are texts, and keep what a number would lose. */
import { FIELD_REQUIREMENTS } from '../../services/shipping/field-requirements.ts';
import { fieldNamed, templateOf, typedValue, valuesOf } from '../../services/shipping/vocabulary.ts';
import { check } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

/** By field, a value of digits, and other spellings of it that say the same. */
const DIGITS = {
  street_number: { name: 'leading-zeros', sent: '007', same: [] },
  apartment_number: { name: 'leading-zeros', sent: '0012', same: [] },
  // Writing a number in another usual form keeps it: without the country, or with 00 in the place of the plus.
  phone: { name: 'plus', sent: '+525512345678', same: ['5512345678', '00525512345678', '0445512345678'] },
} as const;

for (const name of ['street_number', 'apartment_number', 'phone'] as const) {
  const { name: what, sent, same } = DIGITS[name];
  writeCheck(FIELD_REQUIREMENTS[name].createKeeps, { case: what }, async (context) => {
    const { addresses, expect, skip } = context;
    const body = templateOf({ ...valuesOf(addresses.fresh()), [name]: sent });
    const answer = await addresses.post({ address_template: body }, `create with ${name} ${sent}`);
    // Which forms are allowed is left open: such a value is refused, or kept.
    if (!answer.ok) skip(`a create with ${name} ${sent} is answered ${answer.status}`);
    const made = await addresses.made(body as never, answer);
    const { answer: read, data } = await addresses.stored(made.id);
    const field = fieldNamed(name);
    const value = typedValue(data, field);
    const plain = String(value).replaceAll(/[\s().-]/g, '');
    if (plain === sent || (same as readonly string[]).includes(plain)) return;
    expect.equal(value, sent, `${field.pointer} after a create`, {
      answer: read,
      at: `/data${field.pointer}`,
    });
  });
}
