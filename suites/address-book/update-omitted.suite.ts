/**
 * 1 and 4.4: a PATCH replaces only the fields that it sends, both in `address_attributes` and outside of it.
 */

import { short } from '../../lib/check/validator.ts';
import { fellBack } from '../../services/shipping/fixtures/updates.ts';
import { FIELD_REQUIREMENTS } from '../../services/shipping/requirement-ids/field-requirements.ts';
import { FIELDS, fits, valueIn } from '../../services/shipping/vocabulary.ts';
import { check } from './suite.ts';

// Making an address the default may take the flag from other addresses.
const writeCheck = check.with({ effects: 'write', touches: { default: 'alone' } });

// The first of these checks makes about 70 requests: the updates of each field alone and of several together,
// which some forty other checks use as well.
for (const field of FIELDS) {
  writeCheck(FIELD_REQUIREMENTS[field.name].updateKeepsOmitted, async ({ updates, expect, block }) => {
    let looked = 0;
    for await (const update of updates.all()) {
      const { changes, before, answer, after } = update;
      if (!after || field.name in changes || fellBack(update, field)) continue;
      const [was, is] = [valueIn(before, field), valueIn(after.data, field)];
      // Where the value had a wrong type before the update already, another requirement is violated.
      if (!fits(field, was)) continue;
      looked += 1;
      expect.that(
        was === is,
        `${field.pointer} is ${short(is)} after "${answer.exchange.purpose}", which did not send it; before it was ${short(was)}`,
        {
          answer: after.answer,
          at: `/data${field.pointer}`,
          expected: short(was),
          found: short(is),
        },
      );
    }
    if (looked === 0) block('no update that leaves it out was accepted', 'ADDR-UPDATE-STATUS');
  });
}
