/** 4.3 Create address: each value that a create sends is kept, and what is not sent is null. */

import { isDeepStrictEqual } from 'node:util';
import { requireOk } from '../../lib/check/require.ts';
import type { Body } from '../../lib/http/body.ts';
import { storedIn } from '../../services/shipping/api/addresses.ts';
import type { AttributeField } from '../../services/shipping/fixtures/address-data.ts';
import { HOUSES, houseOf } from '../../services/shipping/fixtures/houses.ts';
import { FIELD_REQUIREMENTS } from '../../services/shipping/requirement-ids/field-requirements.ts';
import {
  FIELDS,
  type Field,
  fieldNamed,
  isShown,
  templateOf,
  typedValue,
  valueIn,
  valuesOf,
} from '../../services/shipping/vocabulary.ts';
import { expectCreateShows, expectReadable } from './answers.ts';
import { check, type SuiteContext } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

for (const field of FIELDS) {
  writeCheck(FIELD_REQUIREMENTS[field.name].createKeeps, async ({ sharedAddresses, expect }) => {
    const fixtures = [await sharedAddresses.full()];
    if (!field.optional) fixtures.push(await sharedAddresses.sparse());
    if (field.name === 'default') fixtures.push(await sharedAddresses.default());
    for (const { sent, read } of fixtures) {
      const value = typedValue(read.data, field);
      const expected = valuesOf(sent)[field.name];
      if (isShown(field, value, expected)) continue;
      expect.equal(value, expected, `${field.pointer} after a create`, {
        answer: read.answer,
        at: `/data${field.pointer}`,
      });
    }
  });

  if (field.optional) {
    writeCheck(
      FIELD_REQUIREMENTS[field.name].createWithout,
      async ({ addresses, sharedAddresses, expect }) => {
        await sharedAddresses.full();
        const { [field.name]: _, ...rest } = valuesOf(addresses.fresh());
        const answer = await addresses.post(
          { address_template: templateOf(rest) },
          `create without ${field.name}`,
        );
        // The account may be full by now, and then a complete create is refused as well.
        if (!answer.ok) await addresses.create({}, `create with ${field.name} and all other fields`);
        expect.accepted(answer, `${field.name} is not required`);
      },
    );
  }
}

writeCheck('ADDR-CREATE-KEEPS-COMPANY', { case: 'omitted' }, async ({ sharedAddresses, session, expect }) => {
  await sharedAddresses.full();
  const { read } = await sharedAddresses.sparse();
  const company = valueIn(read.data, fieldNamed('company'));
  // What is stored for an omitted field is left open, but it is no value that another create sent.
  const isOther =
    typeof company === 'string' && company.startsWith(`Empresa ${session.options.seed.toString(36)}-`);
  expect.that(!isOther, `a create without company stored ${company}, which another create sent`, {
    answer: read.answer,
    at: '/data/address/company',
    expected: 'no value of another address',
    found: String(company),
  });
});

for (const name of ['street_number', 'apartment_number'] as const) {
  writeCheck(FIELD_REQUIREMENTS[name].createKeeps, { case: 'letters' }, async (context) => {
    const field = fieldNamed(name);
    for (const [nth, house] of HOUSES.entries()) {
      const { answer, id } = await houseOf(context, nth);
      // Which values are valid is left open.
      if (id === undefined) continue;
      const where = { answer, at: `/data${field.pointer}` };
      context.expect.equal(
        typedValue(answer.at('/data'), field),
        house[name],
        `${name} after a create`,
        where,
      );
    }
  });
}

writeCheck('ADDR-CREATE-KEEPS-POSTAL-CODE', { case: 'leading-zero' }, async ({ sharedAddresses, expect }) => {
  const { sent, read } = await sharedAddresses.capital();
  const { answer, data } = read;
  const value = typedValue(data, fieldNamed('postal_code'));
  const where = { answer, at: '/data/address/postal_code' };
  expect.equal(value, sent.address_attributes.postal_code, 'postal_code after a create', where);
});

/** Fields of free text. */
const TEXTS: readonly AttributeField[] = [
  'reference',
  'company',
  'street1',
  'name',
  'area_level1',
  'area_level2',
  'area_level3',
];

/**
 * Returns a body in ASCII: every character that JSON allows to be escaped is (RFC 8259, 7), and those above
 * the BMP are written as surrogate pairs.
 */
const escaping = (body: unknown): Body => ({
  raw: JSON.stringify(body)
    .replaceAll('/', '\\/')
    .replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  type: 'application/json',
});

const SPECIMENS: [id: string, name: string, text: string, encode?: (body: unknown) => Body][] = [
  ['ADDR-CREATE-KEEPS-SPANISH', 'letters', 'Peña Núñez áéíóúü ÁÉÍÓÚÜ Ñ ¿ ¡ º'],
  ['ADDR-CREATE-KEEPS-PUNCTUATION', 'quotes', `O'Higgins "El Sol" & Hnos`],
  ['ADDR-CREATE-KEEPS-PUNCTUATION', 'markup', '<b>Casa</b> &amp; 5 > 4'],
  ['ADDR-CREATE-KEEPS-PUNCTUATION', 'slashes', 'Km 5.5/7 \\ 50% + 3; -- #12 a%20b&c=d'],
  ['ADDR-CREATE-KEEPS-OTHER-SCRIPTS', 'scripts', '東京都 Москва القاهرة'],
  ['ADDR-CREATE-KEEPS-OTHER-SCRIPTS', 'above-bmp', 'Casa 🏠 𠮷野'],
  ['ADDR-CREATE-KEEPS-OTHER-SCRIPTS', 'escaped', 'Casa 🏠 𠮷野/東京', escaping],
  ['ADDR-CREATE-KEEPS-LENGTH', '120', 'Entre calle uno y calle dos; '.repeat(5).slice(0, 120).trim()],
  ['ADDR-CREATE-KEEPS-LENGTH', '300', 'Entre calle uno y calle dos; '.repeat(11).slice(0, 300).trim()],
  ['ADDR-CREATE-KEEPS-LENGTH', '2000', 'Entre calle uno y calle dos; '.repeat(70).slice(0, 2000).trim()],
];

/** A text whose accents are characters of their own is the same text (Unicode, canonical equivalence). */
const composed = (value: unknown): unknown => (typeof value === 'string' ? value.normalize('NFC') : value);

/**
 * Saves an address with a text in some fields, and fails unless a read shows it. Which texts are valid is left open;
 * but a text in one field breaks no service down.
 * @returns whether it was accepted
 */
async function expectTextKept(
  { addresses, sharedAddresses, expect }: SuiteContext,
  [, name, text, encode]: (typeof SPECIMENS)[number],
  fields: readonly Field[],
): Promise<boolean> {
  const plain = await sharedAddresses.full();
  const values = { ...valuesOf(addresses.fresh()) };
  for (const f of fields) values[f.name] = f.name === 'alias_name' ? `${text} ${addresses.nth()}` : text;
  const body = { address_template: templateOf(values) };
  const what = `create with ${name} in ${fields.map((f) => f.name).join(', ')}`;
  const answer = await addresses.post(body, what, encode && { body: encode(body) });
  if (answer.status === 500 && fields.length === 1) requireOk(answer, 'ADDR-CREATE-STATUS');
  if (!answer.ok) return false;
  expectReadable(expect, answer, plain.answer);
  const made = await addresses.made(templateOf(values) as never, answer);
  const answered = await addresses.read(made.id);
  expectReadable(expect, answered, plain.read.answer);
  const read = storedIn(answered, made.id, 'read the address back');
  for (const f of fields) {
    const where = { answer: read.answer, at: `/data${f.pointer}` };
    expect.equal(composed(typedValue(read.data, f)), values[f.name], `${f.pointer} after a create`, where);
  }
  expectCreateShows(expect.for('ADDR-CREATE-ANSWER-CURRENT'), made, read.data, fields);
  return true;
}

for (const specimen of SPECIMENS) {
  const [id, name] = specimen;
  writeCheck([id, 'ADDR-CREATE-ANSWER-CURRENT'], { case: name }, async (context) => {
    const plain = await context.sharedAddresses.full();
    // A field that does not even keep plain text violates another requirement, so it is left out.
    const fields = FIELDS.filter(
      ({ name: f }) => f === 'alias_name' || (TEXTS as readonly string[]).includes(f),
    ).filter((f) => isDeepStrictEqual(valueIn(plain.read.data, f), valuesOf(plain.sent)[f.name]));
    if (fields.length === 0) context.block('no field keeps plain text', 'ADDR-CREATE-KEEPS-REFERENCE');
    // First all fields in one request; where that is refused, each field alone, since a target may accept the
    // text in some fields only.
    if (await expectTextKept(context, specimen, fields)) return;
    for (const field of fields) await expectTextKept(context, specimen, [field]);
  });
}
