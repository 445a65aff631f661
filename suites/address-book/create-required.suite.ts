/** 4.3, column Required: a create that lacks a required field gets no success and saves nothing. */

import { shelfFor } from '../../lib/check/reuse.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { AddressBook } from '../../services/shipping/api/addresses.ts';
import { keyOf } from '../../services/shipping/api/pages.ts';
import { FIELD_REQUIREMENTS } from '../../services/shipping/requirement-ids/field-requirements.ts';
import { FIELDS, templateOf, valuesOf } from '../../services/shipping/vocabulary.ts';
import { check, type SuiteContext } from './suite.ts';

// The number of addresses is compared before and after, so nothing else may save any meanwhile.
const writeCheck = check.with({ effects: 'write', touches: { addresses: 'still' } });

for (const field of FIELDS.filter(({ optional }) => !optional)) {
  writeCheck(FIELD_REQUIREMENTS[field.name].createWithout, async (context) => {
    const { addresses, sharedAddresses } = context;
    await sharedAddresses.full();
    await expectNotSaved(context, `${field.name} is missing`, () => {
      const { [field.name]: _, ...rest } = valuesOf(addresses.fresh());
      return addresses.post({ address_template: templateOf(rest) }, `create without ${field.name}`);
    });
  });
}

writeCheck('ADDR-CREATE-REQUIRES-ADDRESS-ATTRIBUTES', async (context) => {
  const { addresses, sharedAddresses } = context;
  await sharedAddresses.full();
  await expectNotSaved(context, 'address_attributes is missing', () => {
    const { address_attributes: _, ...rest } = addresses.fresh();
    return addresses.post({ address_template: rest }, 'create without address_attributes');
  });
});

writeCheck('ADDR-CREATE-REQUIRES-ADDRESS-TEMPLATE', async (context) => {
  const { addresses, sharedAddresses } = context;
  await sharedAddresses.full();
  await expectNotSaved(context, 'address_template is missing', () =>
    addresses.post({}, 'create without address_template'),
  );
});

/** Values that are not objects, sent in place of an object that create requires. */
const NON_OBJECTS = [null, [], 'text', 5];

writeCheck('ADDR-CREATE-REQUIRES-OBJECTS', async ({ addresses, sharedAddresses, expect }) => {
  await sharedAddresses.full();
  const before = await sizeOf(addresses);
  const bodies = NON_OBJECTS.flatMap((value) => [
    { address_template: value },
    { address_template: { ...addresses.fresh(), address_attributes: value } },
  ]);
  for (const body of bodies) {
    const place =
      typeof body.address_template === 'object' &&
      body.address_template !== null &&
      'address_attributes' in body.address_template
        ? 'address_attributes'
        : 'address_template';
    const answer = await addresses.post(body, `create with ${place} that is not an object`);
    expect.refused(answer, `${place} is not an object, so required fields are missing`);
  }
  const after = await sizeOf(addresses);
  expect.equal(after, before, 'the number of addresses after creates that were refused');
});

writeCheck('ADDR-CREATE-REQUIRES-TOGETHER', async ({ addresses, sharedAddresses, expect }) => {
  await sharedAddresses.full();
  const before = await sizeOf(addresses);
  const { alias_name, address_type, address_attributes } = addresses.fresh();
  const [labels, { name }] = [{ alias_name, address_type }, address_attributes];
  for (const [what, template] of [
    ['empty address_template', {}],
    ['empty address_attributes', { ...labels, address_attributes: {} }],
    ['a name alone in address_attributes', { ...labels, address_attributes: { name } }],
    ['address_attributes alone', { address_attributes }],
  ] as const) {
    const answer = await addresses.post({ address_template: template }, `create with ${what}`);
    expect.refused(answer, 'several required fields are missing');
  }
  const after = await sizeOf(addresses);
  expect.equal(after, before, 'the number of addresses after creates that were refused');
});

writeCheck('ADDR-CREATE-BROKEN-JSON', async (context) => {
  const { addresses, sharedAddresses } = context;
  await sharedAddresses.full();
  await expectNotSaved(context, 'the body breaks off before its end', () => {
    const body = { address_template: addresses.fresh() };
    return addresses.post(body, 'create with broken JSON', {
      body: { raw: JSON.stringify(body).slice(0, -2), type: 'application/json' },
    });
  });
});

/** The number of addresses after the last such check, and the address book's version at that time. */
const sizes = shelfFor<{ size: number; version: number }>();

/**
 * Requires that a create is refused and leaves the number of addresses as it was. With several tokens, a
 * list that is kept for each of them changes by itself, so a number that changes has to do so again.
 * @param send sends the create, each time with new values
 */
async function expectNotSaved(
  { addresses, expect, reuse, block }: SuiteContext,
  why: string,
  send: () => Promise<Answer>,
): Promise<void> {
  const known = reuse.of(sizes)?.take();
  const isCurrent = known?.version === (await addresses.version());
  const before = known && isCurrent ? known.size : await sizeOf(addresses);
  const answer = await send();
  expect.refused(answer, why);
  const after = await sizeOf(addresses);
  reuse.leave(sizes, { size: after, version: await addresses.version() });
  if (after !== before) {
    await send();
    if ((await sizeOf(addresses)) - after !== after - before)
      block('the number of addresses changes without a create', 'ADDR-CREATE-COUNTED');
  }
  expect.that(
    after === before,
    `the list has ${after} addresses after a create that was refused, and had ${before}: ${why}`,
    {
      answer,
      expected: `${before} addresses`,
      found: `${after} addresses`,
    },
  );
}

/** Returns the number of addresses: `total_count`, or, if that is no integer, what a walk meets. */
async function sizeOf(addresses: AddressBook): Promise<number> {
  const total = (await addresses.page({ per_page: 1 }, 'list addresses, for their number')).meta.total_count;
  return Number.isInteger(total) ? (total as number) : new Set((await addresses.items()).map(keyOf)).size;
}
