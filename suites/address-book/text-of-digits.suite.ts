/** 4.3: texts of digits are texts, and keep what a number would lose. */
import { FIELD_REQUIREMENTS } from '../../services/shipping/requirement-ids/field-requirements.ts';
import { fieldNamed, templateOf, typedValue, valuesOf } from '../../services/shipping/vocabulary.ts';
import { check } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

// Telephone numbers are left out, since nothing is lost if a server writes them in another common form.
for (const [name, sent, kind] of [
  ['street_number', '007', 'leading-zeros'],
  ['apartment_number', '0012', 'leading-zeros'],
  // In some languages the text "0" counts as false, like an empty text.
  ['street_number', '0', 'zero'],
  ['apartment_number', '0', 'zero'],
] as const) {
  writeCheck(FIELD_REQUIREMENTS[name].createKeeps, { case: kind }, async ({ addresses, expect, skip }) => {
    const body = templateOf({ ...valuesOf(addresses.fresh()), [name]: sent });
    const answer = await addresses.post({ address_template: body }, `create with ${name} ${sent}`);
    // Which forms are allowed is left open: such a value is refused, or kept.
    if (!answer.ok) skip(`a create with ${name} ${sent} is answered ${answer.status}`);
    const made = await addresses.made(body as never, answer);
    const { answer: read, data } = await addresses.stored(made.id);
    const field = fieldNamed(name);
    const at = `/data${field.pointer}`;
    expect.equal(typedValue(data, field), sent, `${field.pointer} after a create`, { answer: read, at });
  });
}
