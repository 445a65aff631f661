/** 2 Resources and their fields: presence, type and null of every property, in every answer with it. */

import type { Touches } from '../../lib/check/touches.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { fieldRequirements } from '../../lib/model/catalogue/registry.ts';
import { isJsonObject } from '../../lib/model/json.ts';
import { idOf } from '../../services/shipping/api/addresses.ts';
import { ODD_QUERIES, oddList } from '../../services/shipping/fixtures/odd-lists.ts';
import { NoOutcome, type Verification } from '../../services/shipping/fixtures/verification.ts';
import { schemas } from '../../services/shipping/judging/schemas.ts';
import { META_REQUIREMENTS } from '../../services/shipping/requirement-ids/field-requirements.ts';
import {
  FIELDS,
  type Field,
  type FieldName,
  templateOf,
  valuesOf,
} from '../../services/shipping/vocabulary.ts';
import { check } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });
/** These checks let time pass and change the verified address. */
const VERIFIED: Touches = { clock: 'move', verified: 'alone' };

const ADDRESS = fieldRequirements('address-book', 'AddressTemplate', 'Address');
const META = Object.values(META_REQUIREMENTS);
const CARRIER = [...fieldRequirements('address-book', 'VerifiedCarrier'), 'ADDR-TEMPLATE-VERIFIED-CARRIERS'];
/** Fields that are tried with create; update tries all of them. */
const TRIED: readonly FieldName[] = ['alias_name', 'default', 'name', 'postal_code', 'phone', 'reference'];

writeCheck(ADDRESS, { case: 'list' }, async ({ addresses, sharedAddresses, expect, block }) => {
  await sharedAddresses.full();
  await sharedAddresses.sparse();
  await sharedAddresses.nulled();
  const { pages } = await addresses.look();
  if (pages.every((page) => page.items.length === 0))
    block('the list shows no address to look at', 'ADDR-CREATE-LISTED');
  for (const { answer } of pages) expect.fields(answer, schemas, 'AddressList');
});

writeCheck(ADDRESS, { case: 'read' }, async ({ sharedAddresses, expect }) => {
  const fixtures = [
    await sharedAddresses.full(),
    await sharedAddresses.sparse(),
    await sharedAddresses.default(),
    await sharedAddresses.nulled(),
  ];
  for (const fixture of fixtures) if (fixture) expect.fields(fixture.read.answer, schemas, 'AddressEnvelope');
});

writeCheck(ADDRESS, { case: 'create' }, async ({ sharedAddresses, expect }) => {
  // This answer is judged even where it leads to no address, since it has no id.
  const { answer } = await sharedAddresses.created();
  if (answer.ok && isJsonObject(answer.at('/data'))) expect.fields(answer, schemas, 'AddressEnvelope');
  const fixtures = [
    await sharedAddresses.full(),
    await sharedAddresses.sparse(),
    await sharedAddresses.default(),
    await sharedAddresses.nulled(),
  ];
  for (const fixture of fixtures) if (fixture) expect.fields(fixture.answer, schemas, 'AddressEnvelope');
});

writeCheck(ADDRESS, { case: 'update' }, async ({ updates, addresses, sharedAddresses, expect, block }) => {
  const answers = [await updates.single('name'), await updates.single('company', 'sparse')].map(
    ({ answer }) => answer,
  );
  const nulled = await sharedAddresses.nulled();
  if (nulled) answers.push(await addresses.update(nulled.id, { alias_name: addresses.label() }));
  const taken = answers.filter(({ ok }) => ok);
  if (taken.length === 0)
    block(`valid updates were answered with ${answers[0]!.status}`, 'ADDR-UPDATE-STATUS');
  for (const answer of taken) expect.fields(answer, schemas, 'AddressEnvelope');
});

writeCheck(ADDRESS, { case: 'verify' }, async ({ verification, sharedAddresses, expect }) => {
  const carriers = [await verification.carrier()];
  expect.fields((await verification.accepted()).answer, schemas, 'AddressEnvelope');
  for (const fixture of [await sharedAddresses.sparse(), await sharedAddresses.nulled()]) {
    if (fixture) expect.fields(await verification.started(fixture.id, carriers), schemas, 'AddressEnvelope');
  }
});

/** A value of another JSON type than the documented one, for each field. */
const WRONG: Record<FieldName, unknown> = {
  ...(Object.fromEntries(FIELDS.map(({ name }) => [name, 12345])) as Record<FieldName, unknown>),
  default: 'yes',
  name: { text: 'Ana' },
  company: ['Empresa'],
  reference: true,
};

/** Values of a wrong type or form that are almost right: a loose comparison or conversion accepts them. */
const NEAR: Partial<Record<FieldName, unknown[]>> = {
  default: [1, 'true', 0, 'false', []],
  country_code: ['MEX', 'M', '52'],
  alias_name: [true, {}],
  address_type: [['from']],
  email: [['ana@example.com']],
};

/**
 * What a service does with values of a wrong type, or with null where answers have none, is left open: it may
 * refuse or convert them. But its answers have to match the response tables. Each address is removed right
 * afterwards.
 */
for (const [name, valuesFor] of [
  ['wrong-types', (field: Field) => [WRONG[field.name]]],
  ['null', () => [null]],
  ['near', (field: Field) => NEAR[field.name] ?? []],
] as const) {
  writeCheck(ADDRESS, { case: `update-${name}` }, async ({ addresses, updates, sharedAddresses, expect }) => {
    expect.fields((await sharedAddresses.full()).read.answer, schemas, 'AddressEnvelope');
    const { id } = await updates.any();
    try {
      for (const [field, value] of FIELDS.flatMap((f) => valuesFor(f).map((v) => [f.name, v] as const))) {
        const what = `${field} to ${JSON.stringify(value)}`;
        const answer = await addresses.update(id, templateOf({ [field]: value }), {}, `update ${what}`);
        if (!answer.ok) continue;
        expect.fields(answer, schemas, 'AddressEnvelope');
        const read = await addresses.read(id, `read after the update of ${what}`);
        if (read.ok) expect.fields(read, schemas, 'AddressEnvelope');
      }
    } finally {
      await addresses.remove(id);
    }
  });

  const tried = FIELDS.filter((f) => name === 'near' || TRIED.includes(f.name));
  writeCheck(ADDRESS, { case: `create-${name}` }, async ({ addresses, sharedAddresses, expect }) => {
    expect.fields((await sharedAddresses.full()).read.answer, schemas, 'AddressEnvelope');
    for (const [field, value] of tried.flatMap((f) => valuesFor(f).map((v) => [f.name, v] as const))) {
      const values = { ...valuesOf(addresses.fresh()), [field]: value };
      const what = `create with ${field} ${JSON.stringify(value)}`;
      const answer = await addresses.post({ address_template: templateOf(values) }, what);
      if (!answer.ok) continue;
      expect.fields(answer, schemas, 'AddressEnvelope');
      const id = idOf(answer.at('/data'));
      if (id === undefined) continue;
      const read = await addresses.read(id);
      if (read.ok) expect.fields(read, schemas, 'AddressEnvelope');
      await addresses.remove(id);
    }
  });
}

writeCheck(META, { case: 'pages', touches: { addresses: 'still' } }, async ({ listSnapshot, expect }) => {
  for (const { answer } of await listSnapshot.probes())
    if (answer.ok) expect.fields(answer, schemas, 'AddressList');
});

/**
 * Whether such a request is refused is left open. But a list that answers it has the documented meta, so only
 * queries whose `per_page` may come back out of bounds are left out.
 */
const ODD_PAGES = ODD_QUERIES.flatMap(([id, queries]) =>
  id === 'ADDR-LIST-PER-PAGE-NEGATIVE' || id === 'ADDR-LIST-PER-PAGE-OVER' ? [] : queries,
);

check(META, { case: 'odd-pages' }, async (context) => {
  const answers: Answer[] = [];
  for (const query of ODD_PAGES) answers.push(await oddList(context, query));
  const lists = answers.filter((answer) => answer.ok && answer.at('/meta/total_count') !== undefined);
  if (lists.length === 0) context.skip('the target answers none of these with a list');
  for (const answer of lists) context.expect.fields(answer, schemas, 'AddressList');
});

writeCheck(CARRIER, { case: 'read', touches: VERIFIED }, async ({ addresses, verification, expect }) => {
  const { id, outcome } = await outcomeOf(verification);
  expect.fields(outcome, schemas, 'AddressEnvelope');
  await verification.settle();
  expect.fields((await addresses.stored(id)).answer, schemas, 'AddressEnvelope');
});

// The list is read twice, right after the verify and later: entries may have an id in some states only.
writeCheck(
  CARRIER,
  { case: 'list', touches: { ...VERIFIED, clock: 'move' } },
  async ({ addresses, verification, expect }) => {
    const { id } = await outcomeOf(verification);
    // The target may refuse to verify by this carrier again; then the entries that it already has are judged.
    await addresses.verify(id, { carriers: [await verification.carrier()] }, 'verify once more');
    for (const { answer } of (await addresses.look()).pages) expect.fields(answer, schemas, 'AddressList');
    await verification.settle();
    for (const { answer } of (await addresses.look()).pages) expect.fields(answer, schemas, 'AddressList');
  },
);

// What a new verification or an update does to earlier entries is left open, so the read that showed the
// outcome is judged as well.
writeCheck(
  CARRIER,
  { case: 'update-and-verify', touches: VERIFIED },
  async ({ addresses, verification, expect }) => {
    const { id, outcome } = await outcomeOf(verification);
    const { names } = await verification.carriers();
    // An address may be locked while it is being verified, so a refused update shows nothing.
    const rename = () => addresses.update(id, { alias_name: addresses.label() });
    const again = (name: string) => addresses.verify(id, { carriers: [name] }, `verify by ${name} again`);
    const answers: Answer[] = [outcome, await again(names[0]!), await rename()];
    await verification.settle();
    answers.push(await rename(), await again(names.at(-1)!), await addresses.read(id));
    for (const answer of answers) if (answer.ok) expect.fields(answer, schemas, 'AddressEnvelope');
  },
);

/** Returns an address with entries (even without a carrier's name), and the read that showed them. */
async function outcomeOf(verification: Verification): Promise<{ id: string; outcome: Answer }> {
  try {
    const { made, outcome } = await verification.verified();
    return { id: made.id, outcome };
  } catch (error) {
    if (!(error instanceof NoOutcome) || error.seen.waited.entries.length === 0) throw error;
    return { id: error.seen.id, outcome: error.seen.waited.answer };
  }
}
