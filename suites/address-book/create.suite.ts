/** 4.3 Create address: the answer to a valid request, and that the values it sends are kept. */

import { isDeepStrictEqual } from 'node:util';
import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { Body } from '../../lib/http/body.ts';
import type { AddressTemplate } from '../../schemas/shipping/index.ts';
import { type CreatedAddress, idOf, storedIn } from '../../services/shipping/api/addresses.ts';
import { FIELD_REQUIREMENTS } from '../../services/shipping/field-requirements.ts';
import type { AttributeField, NewAddress } from '../../services/shipping/fixtures/address-data.ts';
import { CAPITAL } from '../../services/shipping/fixtures/places.ts';
import { isUuid } from '../../services/shipping/judging/ids.ts';
import {
  FIELDS,
  fieldNamed,
  isShown,
  READ_ONLY_FIELDS,
  templateOf,
  typedValue,
  valueIn,
  valuesOf,
} from '../../services/shipping/vocabulary.ts';
import { type Difference, expectData, expectReadable, expectSameFields } from './answers.ts';
import { check, type SuiteContext } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

/** Statuses that may mean that an account is full. */
const MAYBE_FULL = [402, 403, 409, 422, 429, 507];

writeCheck('ADDR-CREATE-STATUS', async ({ addresses, shared, expect, undecided }) => {
  const { answer } = await shared.created();
  const before = Number((await addresses.before()).at('/meta/total_count'));
  if (MAYBE_FULL.includes(answer.status) && before > 0)
    undecided(
      `a valid create is answered ${answer.status} while ${before} addresses of others are saved: the account may be full`,
    );
  expect.status(answer, 201);
});

writeCheck('ADDR-CREATE-STATUS', { case: 'others' }, async ({ shared, expect, block }) => {
  const { answer } = await shared.created();
  if (answer.status !== 201) block(`a complete create is answered ${answer.status}`, 'ADDR-CREATE-STATUS');
  expect.status((await shared.sparse()).answer, 201);
  // A service may refuse an address with `default` true.
  const isDefault = await shared.default().catch(() => undefined);
  if (isDefault) expect.status(isDefault.answer, 201);
});

writeCheck('ADDR-CREATE-DATA', async ({ shared, expect, block }) => {
  const { answer } = await shared.created();
  if (!answer.ok || answer.status === 204) block(`create answered ${answer.status}`, 'ADDR-CREATE-STATUS');
  expectData(expect, answer);
});

writeCheck(
  'ADDR-CREATE-READABLE',
  { touches: { clock: 'move' } },
  async ({ addresses, shared, verification, expect, block }) => {
    // Several are tried, each read directly after its create: where reads lag, one may be found by luck.
    for (let n = 0; n < 4; n += 1) {
      const sent = addresses.fresh();
      const answer = await addresses.post({ address_template: sent });
      const id = idOf(answer.at('/data'));
      requireOk(answer, 'ADDR-CREATE-STATUS');
      if (id === undefined) return block('create answered without `data.id`', 'ADDR-CREATE-DATA');
      const read = await addresses.read(id, 'read the new address');
      if (read.ok) continue;
      if (!isUuid(id)) block(`the id in the answer is ${id}`, 'ADDR-TEMPLATE-ID');
      const item = await addresses.listed((each) => each.alias_name === sent.alias_name);
      if (idOf(item) === id) {
        // The list shows the address: either reads lag behind, or read does not work at all.
        await verification.settle();
        const again = await addresses.read(id, 'read the new address some time later');
        // Where an older address is read, reads do work, only not of this one.
        if (!again.ok) requireOk(await addresses.read((await shared.made()).id), 'ADDR-READ-STATUS');
      }
      const where = { answer: read, at: 'status', expected: 'the new address', found: String(read.status) };
      expect.fail(
        `create answered ${answer.status} with the id ${id}, and a read of it ${read.status}`,
        where,
      );
    }
  },
);

for (const name of ['full', 'sparse'] as const) {
  writeCheck('ADDR-CREATE-LISTED', { case: name }, async ({ addresses, updates, expect, block }) => {
    const sent = updates.toSend(name);
    const { id } = await addresses.made(sent, await addresses.post({ address_template: sent }));
    const isIt = (item: AddressTemplate) => idOf(item) === id || item.alias_name === sent.alias_name;
    const walk = await addresses.look(isIt);
    if (walk.pages.some((page) => page.items.some(isIt))) return;
    if (await addresses.listed(isIt, 7)) block('it is on a page of another size', 'ADDR-LIST-NO-GAPS');
    const answer = walk.end ?? walk.pages.at(-1)?.answer;
    expect.fail(`the new address ${id} is on none of the ${walk.pages.length} pages of the list`, {
      ...(answer && { answer }),
      expected: `an item with the id ${id}`,
      found: `${walk.pages.flatMap((page) => page.items).length} other addresses`,
    });
  });
}

writeCheck('ADDR-CREATE-COUNTED', { touches: { addresses: 'alone' } }, async ({ addresses, expect }) => {
  // A wrong count is checked once more: somebody else may have saved or deleted an address just then.
  for (const isLast of [false, true]) {
    const before = await addresses.count();
    await addresses.create();
    const { answer, total } = await addresses.count();
    if (total === before.total + 1) return;
    if (isLast)
      expect.equal(total, before.total + 1, 'total_count after one create', {
        answer,
        at: '/meta/total_count',
      });
  }
});

writeCheck('ADDR-CREATE-ID-UNIQUE', async ({ addresses, oauth, expect }) => {
  const like = addresses.fresh();
  const made: CreatedAddress[] = [];
  const add = async (body: NewAddress, answer?: Answer): Promise<void> => {
    const created = answer ?? (await addresses.post({ address_template: body }));
    made.push(await addresses.made(body, created, 'taken'));
  };
  const bodies = [0, 1, 2, 3].map((n) => ({ ...like, alias_name: `${like.alias_name} ${n}` }));
  // Two are created one after the other, and two at the same time.
  await add(bodies[0]!);
  await add(bodies[1]!);
  const tokens = [await oauth.issue(), await oauth.issue()];
  for (const { pacer } of tokens) await pacer.ready();
  const answers = await Promise.all(
    tokens.map((auth, n) =>
      addresses.post({ address_template: bodies[n + 2] }, 'create one of two at once', { auth }),
    ),
  );
  for (const [n, answer] of answers.entries()) await add(bodies[n + 2]!, answer);
  // Another is created after a delete: a server that computes ids from the number of addresses then repeats
  // an id. The id of the deleted one may be given again.
  await addresses.removed(made.shift()!.id);
  await add(addresses.fresh());
  expectOwnIds(expect, made);
});

function expectOwnIds(expect: SuiteContext['expect'], made: readonly CreatedAddress[]): void {
  const ids = made.map(({ id }) => id.toLowerCase());
  const twice = ids.find((id, n) => ids.indexOf(id) !== n);
  expect.that(twice === undefined, `two addresses were created with the id ${twice}`, {
    answer: made[ids.lastIndexOf(twice ?? '')]?.answer ?? made[0]!.answer,
    at: '/data/id',
    expected: 'an id that no other address has',
    found: String(twice),
  });
}

/** Endings of two labels that a database collation treats as equal. */
const NEAR_LABELS: Record<string, [string, string]> = {
  'in the case of its letters': ['abc', 'ABC'],
  'in an accent': ['jose', 'jos\u00e9'],
};

writeCheck('ADDR-CREATE-ID-UNIQUE', { case: 'near-labels' }, async ({ addresses, expect, skip }) => {
  let accepted = 0;
  for (const [how, [one, other]] of Object.entries(NEAR_LABELS)) {
    const label = addresses.label();
    const { id } = await addresses.create({ alias_name: `${label} ${one}` });
    const body = addresses.fresh({ alias_name: `${label} ${other}` });
    const answer = await addresses.post({ address_template: body }, 'create an address of a similar label');
    // The target may demand unique labels, and may compare them in any way.
    if (!answer.ok) continue;
    accepted += 1;
    const found = idOf(answer.at('/data'));
    expect.that(found !== id, `a create was answered with the id of an address whose label differs ${how}`, {
      answer,
      at: '/data/id',
      expected: 'an id that no other address has',
      found: String(found),
    });
  }
  if (accepted === 0) skip('labels that resemble one another are refused');
});

writeCheck('ADDR-CREATE-ANSWER-CURRENT', async ({ shared, expect }) => {
  for (const { answer, data, read } of [await shared.full(), await shared.sparse(), await shared.default()]) {
    // Where the answer contained no address, `data` comes from the list and says nothing about the answer.
    if (answer.at('/data') !== data) continue;
    const say = ({ pointer, found, expected }: Difference) =>
      `create answered ${pointer} ${found}, a read gives ${expected}`;
    const fields = [...FIELDS, ...READ_ONLY_FIELDS];
    expectSameFields(expect, data, read.data, say, { answer, at: '/data', fields });
  }
});

for (const field of FIELDS) {
  writeCheck(FIELD_REQUIREMENTS[field.name].createKeeps, async ({ shared, expect }) => {
    const fixtures = [await shared.full()];
    if (!field.optional) fixtures.push(await shared.sparse());
    if (field.name === 'default') fixtures.push(await shared.default());
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
    writeCheck(FIELD_REQUIREMENTS[field.name].createWithout, async ({ addresses, shared, expect }) => {
      await shared.full();
      const { [field.name]: _, ...rest } = valuesOf(addresses.fresh());
      const answer = await addresses.post(
        { address_template: templateOf(rest) },
        `create without ${field.name}`,
      );
      // The account may be full by now, and then a complete create is refused as well.
      if (!answer.ok) await addresses.create({}, `create with ${field.name} and all other fields`);
      expect.accepted(answer, `${field.name} is not required`);
    });
  }
}

writeCheck('ADDR-CREATE-KEEPS-COMPANY', { case: 'omitted' }, async ({ shared, session, expect }) => {
  await shared.full();
  const { read } = await shared.sparse();
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

/** Numbers of houses and flats that are not plain numbers. */
const HOUSES = [
  { street_number: '12-A', apartment_number: '3B' },
  { street_number: 'S/N', apartment_number: 'PH-2' },
];

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

/** Saves an address with one of these numbers, and returns its id and the read of it. */
const houseOf = perRun(
  'shipping: house',
  async ({ addresses }: SuiteContext, nth: number): Promise<{ answer: Answer; id?: string }> => {
    const sent = addresses.fresh({ address_attributes: HOUSES[nth]! });
    const answer = await addresses.post({ address_template: sent }, 'create with letters in the numbers');
    if (!answer.ok) return { answer };
    const { id } = await addresses.made(sent, answer);
    return { id, answer: (await addresses.stored(id)).answer };
  },
);

writeCheck('ADDR-CREATE-STATUS', { case: 'after-delete' }, async ({ addresses, expect }) => {
  const { id, sent } = await addresses.create({}, 'create an address to save again');
  await addresses.removed(id);
  const answer = await addresses.post({ address_template: sent }, 'create the deleted address again');
  if (answer.status === 201) return;
  // The account may be full by now, and then another create is refused as well.
  await addresses.create();
  expect.status(answer, 201);
});

writeCheck('ADDR-CREATE-LASTS', { case: 'token-revoked' }, async ({ addresses, oauth, expect }) => {
  const auth = await oauth.issue();
  const sent = addresses.fresh();
  const created = await addresses.post({ address_template: sent }, 'create with a token of its own', {
    auth,
  });
  const { id } = await addresses.made(sent, created);
  await addresses.stored(id);
  const revocation = await oauth.revoke(auth.value);
  requireOk(revocation, 'TOKEN-REVOKE-STATUS');
  const read = await addresses.read(id, 'read the address that was saved with the revoked token');
  expect.after(revocation).accepted(read, 'it was saved, and only a token was revoked');
});

writeCheck('ADDR-CREATE-KEEPS-POSTAL-CODE', { case: 'leading-zero' }, async ({ addresses, expect }) => {
  const { id } = await addresses.create({ address_attributes: CAPITAL });
  const { answer, data } = await addresses.stored(id);
  const value = typedValue(data, fieldNamed('postal_code'));
  const where = { answer, at: '/data/address/postal_code' };
  expect.equal(value, CAPITAL.postal_code, 'postal_code after a create', where);
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

for (const [id, name, text, encode] of SPECIMENS) {
  writeCheck(id, { case: name }, async ({ addresses, shared, expect, block }) => {
    const plain = await shared.full();
    // A field that does not even keep plain text violates another requirement, so it is left out.
    const fields = FIELDS.filter(
      ({ name: f }) => f === 'alias_name' || (TEXTS as readonly string[]).includes(f),
    ).filter((f) => isDeepStrictEqual(valueIn(plain.read.data, f), valuesOf(plain.sent)[f.name]));
    if (fields.length === 0) block('no field keeps plain text', 'ADDR-CREATE-KEEPS-REFERENCE');
    // First all fields in one request; where that is refused, each field alone, since a target may accept the
    // text in some fields only.
    for (const some of [fields, ...fields.map((f) => [f])]) {
      const values = { ...valuesOf(addresses.fresh()) };
      for (const f of some) values[f.name] = f.name === 'alias_name' ? `${text} ${addresses.nth()}` : text;
      const body = { address_template: templateOf(values) };
      const what = `create with ${name} in ${some.map((f) => f.name).join(', ')}`;
      const answer = await addresses.post(body, what, encode && { body: encode(body) });
      if (!answer.ok) continue;
      expectReadable(expect, answer, plain.answer);
      const made = await addresses.made(templateOf(values) as never, answer);
      const answered = await addresses.read(made.id);
      expectReadable(expect, answered, plain.read.answer);
      const read = storedIn(answered, made.id, 'read the address back');
      for (const f of some) {
        const value = typedValue(read.data, f);
        const where = { answer: read.answer, at: `/data${f.pointer}` };
        expect.equal(value, values[f.name], `${f.pointer} after a create`, where);
      }
      if (some === fields) return;
    }
  });
}

writeCheck('ADDR-CREATE-LOCATION', async ({ addresses, shared, expect, block }) => {
  const { id, answer, sent } = await shared.made();
  if (answer.status !== 201) block(`create answered ${answer.status}, not 201`, 'ADDR-CREATE-STATUS');
  const [location] = answer.header('location');
  expect.that(location !== undefined, 'the 201 has no Location', {
    answer,
    at: 'header:Location',
    expected: 'the address of the new resource',
    found: 'nothing',
  });
  const { url: asked } = answer.exchange.request;
  const url = URL.canParse(location!, asked) ? new URL(location!, asked) : undefined;
  expect.that(url?.origin === new URL(asked).origin, `Location leads elsewhere: ${location}`, {
    answer,
    at: 'header:Location',
  });
  const read = await addresses.call({ method: 'GET', url: url!.href, purpose: 'follow Location' });
  // Where a read by id does not show the address either, the header is not to blame.
  if (!read.ok) await addresses.stored(id);
  const leads = read.ok && (idOf(read.at('/data')) === id || read.text.includes(sent.alias_name));
  expect.that(leads, `Location ${location} does not lead to the new address`, {
    answer: read,
    at: 'status',
    expected: 'the new address',
    found: String(read.status),
  });
});
