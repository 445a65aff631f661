/** 4.4: an update keeps the texts that a create keeps. */
import type { Answer } from '../../lib/http/answer.ts';
import { isJsonObject } from '../../lib/model/json.ts';
import type { NewAddress } from '../../services/shipping/fixtures/address-data.ts';
import { FIELD_REQUIREMENTS } from '../../services/shipping/requirement-ids/field-requirements.ts';
import {
  type FieldName,
  fieldNamed,
  templateOf,
  typedValue,
  type Values,
  valuesOf,
} from '../../services/shipping/vocabulary.ts';
import { expectReadable, expectSameFields, expectValue } from './answers.ts';
import { check, type SuiteContext } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

/** A text, and one of its kind for names of persons. */
interface Text {
  text: string;
  name: string;
}

const TEXTS: Record<string, Text> = {
  letters: { text: 'Junto al jardín de niños "Ñandú" & Cía', name: 'Begoña Ávila Núñez' },
  punctuation: { text: "Km 5.5/7 \\ 50% <b>Casa</b> a%20b; -- #12 O'Higgins", name: "Ana O'Higgins" },
  scripts: { text: '東京都 Москва 🏠 𠮷野', name: '東京 Москва 𠮷野' },
  length: { text: 'Entre calle uno y calle dos; '.repeat(4), name: 'Ana Laura '.repeat(12).trim() },
  'length-280': { text: 'Entre calle uno y calle dos; '.repeat(10), name: 'Ana Laura '.repeat(26).trim() },
};

/** Fields of free text. */
const FIELDS: readonly FieldName[] = ['alias_name', 'reference', 'name', 'company', 'street1'];

/** Returns the values of fields with a text; those that may have to be unique are. */
function valuesWith({ addresses }: SuiteContext, { text, name }: Text, fields: readonly FieldName[]): Values {
  const nth = addresses.nth();
  // The label keeps the mark of the run, by which an address is known at the end.
  const own: Partial<Record<FieldName, string>> = { name, alias_name: `${text} ${addresses.label()}` };
  return Object.fromEntries(fields.map((field) => [field, own[field] ?? `${text} ${nth}`]));
}

/** Returns those of the fields in which a create keeps the text. */
async function keptIn(context: SuiteContext, text: Text, fields: readonly FieldName[]): Promise<FieldName[]> {
  const { addresses } = context;
  const values = valuesWith(context, text, fields);
  const sent = templateOf({ ...valuesOf(addresses.fresh()), ...values }) as NewAddress;
  const created = await addresses.post(
    { address_template: sent },
    `create with a text in ${fields.join(', ')}`,
  );
  if (!created.ok) return [];
  const { id } = await addresses.made(sent, created);
  const { data } = await addresses.stored(id);
  return fields.filter((name) => typedValue(data, fieldNamed(name)) === values[name]);
}

/** The same, where the text may be refused in some of the fields. */
async function keptByCreates(context: SuiteContext, text: Text): Promise<FieldName[]> {
  const together = await keptIn(context, text, FIELDS);
  if (together.length > 0) return together;
  return [...(await keptIn(context, text, ['reference'])), ...(await keptIn(context, text, ['alias_name']))];
}

const ids = [...FIELDS.map((name) => FIELD_REQUIREMENTS[name].updateSets), 'ADDR-UPDATE-ANSWER-CURRENT'];

for (const [what, text] of Object.entries(TEXTS)) {
  writeCheck(ids, { case: what }, async (context) => {
    const { addresses, updates, expect, skip } = context;
    // A text that create refuses or alters shows nothing about updates.
    const names = await keptByCreates(context, text);
    if (names.length === 0) return skip('a create with such a text is refused, or alters it');
    const { id } = await updates.any();
    const values = valuesWith(context, text, names);
    const answer = await addresses.updated(id, templateOf(values));
    const after = await addresses.stored(id);
    const alone = await alteredAlone(context, id, values, after.data);
    const twin = await readableTwin(context, answer);
    for (const name of names) {
      expect.soft(FIELD_REQUIREMENTS[name].updateSets, (own) => {
        const last = alone.get(name);
        if (last) expectValue(own, last.after, fieldNamed(name), values[name], last.answer);
        expectReadable(own, answer, twin);
      });
    }
    expectAnswered(context, answer, after.data, names);
  });
}

/** Updates each field that an update of several did not set alone, and returns the answer and a read after it. */
async function alteredAlone({ addresses }: SuiteContext, id: string, values: Values, data: unknown) {
  const alone = new Map<FieldName, { answer: Answer; after: Awaited<ReturnType<typeof addresses.stored>> }>();
  for (const name of FIELDS) {
    if (!(name in values) || typedValue(data, fieldNamed(name)) === values[name]) continue;
    const answer = await addresses.updated(id, templateOf({ [name]: values[name] }));
    alone.set(name, { answer, after: await addresses.stored(id) });
  }
  return alone;
}

/** Returns an answer that is JSON where updates are answered so at all, which is the subject of another requirement. */
async function readableTwin({ addresses, updates }: SuiteContext, answer: Answer): Promise<Answer> {
  if (answer.json !== undefined) return answer;
  const { id } = await updates.any();
  return addresses.updated(id, { alias_name: addresses.label() });
}

/** Requires that an update is answered with the values that a read gives. */
function expectAnswered(
  { expect }: SuiteContext,
  answer: Answer,
  read: unknown,
  names: readonly FieldName[],
): void {
  const shown = answer.at('/data');
  if (!isJsonObject(shown)) return;
  expectSameFields(
    expect.for('ADDR-UPDATE-ANSWER-CURRENT'),
    shown,
    read,
    ({ pointer, found, expected }) =>
      `the update is answered with ${pointer} ${found}, a read gives ${expected}`,
    { answer, at: '/data', fields: names.map(fieldNamed) },
  );
}
