/** 4.4: an update sets a value that resembles the one before, and numbers of houses that are none. */
import type { AddressTemplate } from '../../schemas/shipping/index.ts';
import type { NewAddress } from '../../services/shipping/fixtures/address-data.ts';
import { HOUSES, houseOf } from '../../services/shipping/fixtures/houses.ts';
import { FIELD_REQUIREMENTS } from '../../services/shipping/requirement-ids/field-requirements.ts';
import {
  type FieldName,
  fieldNamed,
  templateOf,
  typedValue,
  valuesOf,
} from '../../services/shipping/vocabulary.ts';
import { expectValue } from './answers.ts';
import { check, type SuiteContext } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

/**
 * Values that count as equal where numbers, or texts without regard to accents and case, are compared, so that a server
 * which saves only what has changed saves nothing; and one that differs from both.
 */
const SIMILAR: [name: FieldName, before: string, after: string, other: string][] = [
  ['street_number', '10', '010', '27'],
  // In some languages the text "0" counts as false, like one that was not sent.
  ['apartment_number', '5', '0', '12'],
  ['name', 'ines munoz', 'Inés Muñoz', 'Laura Gil'],
];

const ids = SIMILAR.map(([name]) => FIELD_REQUIREMENTS[name].updateSets);

writeCheck(ids, { case: 'similar' }, async ({ addresses, updates, expect, skip }) => {
  const { id } = await updates.any();
  const values = (nth: 1 | 2 | 3) =>
    templateOf(Object.fromEntries(SIMILAR.map((each) => [each[0], each[nth]])));
  await addresses.updated(id, values(1));
  const answer = await addresses.update(id, values(2), {}, 'update to similar values');
  // Which values are allowed is left open.
  if (!answer.ok) skip(`an update to such values is answered ${answer.status}`);
  const { answer: read, data } = await addresses.stored(id);
  if (SIMILAR.every(isSetIn(data))) return;
  // Values may be stored in another form. Then they are shown in it as well where a different one was before, or none.
  await addresses.updated(id, values(3));
  await addresses.updated(id, values(2));
  const { data: again } = await addresses.stored(id, 'read it after an update from different values');
  const created = SIMILAR.every(isSetIn(again)) ? again : await createdWith(addresses);
  for (const [name, before, after] of SIMILAR) {
    const field = fieldNamed(name);
    const what = `${field.pointer} after an update from "${before}" to "${after}"`;
    expect.soft(FIELD_REQUIREMENTS[name].updateSets, (own) => {
      const isForm = [again, created].every(
        (other) => other === undefined || typedValue(other, field) !== after,
      );
      if (isForm) return;
      own.equal(typedValue(data, field), after, what, { answer: read, at: `/data${field.pointer}` });
    });
  }
});

/** Returns an address that was created with the values that updates are sent here, as a read shows it. */
async function createdWith(addresses: SuiteContext['addresses']): Promise<AddressTemplate | undefined> {
  const values = Object.fromEntries(SIMILAR.map(([name, , after]) => [name, after]));
  const sent = templateOf({ ...valuesOf(addresses.fresh()), ...values }) as NewAddress;
  const answer = await addresses.post({ address_template: sent }, 'create with the values of the update');
  if (!answer.ok) return undefined;
  return (await addresses.stored((await addresses.made(sent, answer)).id)).data;
}

/** Returns whether an address has the value that the update sent for a field. */
const isSetIn =
  (data: AddressTemplate) =>
  ([name, , after]: (typeof SIMILAR)[number]): boolean =>
    typedValue(data, fieldNamed(name)) === after;

const NUMBERS = ['street_number', 'apartment_number'] as const;

writeCheck(
  NUMBERS.map((name) => FIELD_REQUIREMENTS[name].updateSets),
  { case: 'letters' },
  async (context) => {
    const { addresses, updates, expect, skip } = context;
    const [house] = HOUSES;
    const { id: made, answer: created } = await houseOf(context, 0);
    if (made === undefined) return skip(`a create with such numbers is answered ${created.status}`);
    const { id } = await updates.any();
    const sent = await addresses.updated(id, { address_attributes: house });
    const after = await addresses.stored(id);
    for (const name of NUMBERS) {
      const field = fieldNamed(name);
      // A form that a create gives the number as well is left open.
      if (typedValue(created.at('/data'), field) !== house[name]) continue;
      expect.soft(FIELD_REQUIREMENTS[name].updateSets, (own) =>
        expectValue(own, after, field, house[name], sent),
      );
    }
  },
);
