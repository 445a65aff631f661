/** 4.4: an update sets a value that resembles the one before. */
import { FIELD_REQUIREMENTS } from '../../services/shipping/requirement-ids/field-requirements.ts';
import { type FieldName, fieldNamed, templateOf, typedValue } from '../../services/shipping/vocabulary.ts';
import { check } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

/**
 * Values that count as equal where numbers, or texts without regard to accents and case, are compared, so that a server
 * which saves only what has changed saves nothing; and one that differs from both.
 */
const SIMILAR: [name: FieldName, before: string, after: string, other: string][] = [
  ['street_number', '10', '010', '27'],
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
  const isSet = ([name, , after]: (typeof SIMILAR)[number]) => typedValue(data, fieldNamed(name)) === after;
  if (SIMILAR.every(isSet)) return;
  // Values may be stored in another form. Then they are shown in it as well where a different one was before.
  await addresses.updated(id, values(3));
  await addresses.updated(id, values(2));
  const { data: again } = await addresses.stored(id, 'read it after an update from different values');
  for (const [name, before, after] of SIMILAR) {
    const field = fieldNamed(name);
    const what = `${field.pointer} after an update from "${before}" to "${after}"`;
    expect.soft(FIELD_REQUIREMENTS[name].updateSets, (own) => {
      if (typedValue(again, field) !== after) return;
      own.equal(typedValue(data, field), after, what, { answer: read, at: `/data${field.pointer}` });
    });
  }
});
