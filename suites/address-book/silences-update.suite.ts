/** What 4.2, 4.4 and 4.5 leave open about reading, updating and deleting: recorded, never failed. */
import { isDeepStrictEqual } from 'node:util';
import { short } from '../../lib/check/validator.ts';
import { became, OpenRequests } from '../../services/shipping/fixtures/open-requests.ts';
import { unknownId } from '../../services/shipping/judging/address-ids.ts';
import { inDetail, outcome } from '../../services/shipping/judging/describe.ts';
import { sortedEntries } from '../../services/shipping/judging/verified-entries.ts';
import type { FieldName, Values } from '../../services/shipping/vocabulary.ts';
import { check } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

/** Ids that do not have the form of a UUID. */
const MALFORMED = ['conformance', '0', '00000000-0000-0000-0000-00000000000g'];

for (const [id, method] of [
  ['ADDR-READ-MALFORMED-ID', 'GET'],
  ['ADDR-DELETE-MALFORMED-ID', 'DELETE'],
] as const) {
  check(id, { effects: method === 'GET' ? 'read' : 'write' }, async ({ addresses, observe }) => {
    const said: string[] = [];
    for (const malformed of MALFORMED) {
      // An id that does belong to an address is not deleted.
      if (method === 'DELETE' && (await addresses.read(malformed)).ok) continue;
      const purpose = `${method === 'GET' ? 'read' : 'delete'} a malformed id`;
      said.push(`${malformed}: ${outcome(await addresses.call({ method, path: `/${malformed}`, purpose }))}`);
    }
    observe(said.join('; '));
  });
}

writeCheck('ADDR-READ-ID-CASE', async ({ sharedAddresses, addresses, observe }) => {
  const { id } = await sharedAddresses.full();
  const other = id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase();
  observe(outcome(await addresses.read(other, 'read the id in the other letter case')));
});

check('ADDR-UPDATE-UNKNOWN-ANSWER', async ({ addresses, faker, observe }) => {
  observe(
    inDetail(
      await addresses.update(
        unknownId(faker),
        { alias_name: 'Conformance' },
        {},
        'update an id that no address has',
      ),
    ),
  );
});

/** Silences about single values of an update, and the values that are sent, one request each. */
const VALUES: [string, [FieldName, unknown][]][] = [
  [
    'ADDR-UPDATE-NULL',
    [
      ['company', null],
      ['reference', null],
      ['default', null],
      ['name', null],
      ['alias_name', null],
    ],
  ],
  [
    'ADDR-UPDATE-WRONG-TYPES',
    [
      ['postal_code', 12345],
      ['company', 5],
      ['default', 'yes'],
      ['alias_name', ['x']],
    ],
  ],
];

for (const [id, tries] of VALUES) {
  writeCheck(id, async (context) => {
    const outcomes = await new OpenRequests(context).updates(
      tries.map(([name, value]) => ({ changes: { [name]: value } })),
    );
    const said = tries.map(
      ([name, value], n) => `${name} ${JSON.stringify(value)}: ${became(outcomes[n]!, name)}`,
    );
    context.observe(said.join('; '));
  });
}

writeCheck('ADDR-UPDATE-INVALID-ANSWER', async (context) => {
  const values: Values[] = [
    { name: null },
    { email: 'not an email' },
    { country_code: 'Mexico' },
    { alias_name: '' },
  ];
  const outcomes = await new OpenRequests(context).updates(values.map((changes) => ({ changes })));
  const refused = outcomes.findIndex(({ answer }) => !answer.ok);
  if (refused < 0) return context.observe('none of the values that were tried is refused');
  context.observe(`${JSON.stringify(values[refused])}: ${inDetail(outcomes[refused]!.answer)}`);
});

writeCheck('ADDR-UPDATE-EMPTY-ANSWER', async ({ addresses, sharedAddresses, observe }) => {
  const { id } = await sharedAddresses.expendable();
  const template = await addresses.update(id, {}, {}, 'update with empty address_template');
  const attributes = await addresses.update(
    id,
    { address_attributes: {} },
    {},
    'update with empty address_attributes',
  );
  observe(`empty address_template: ${outcome(template)}; empty address_attributes: ${outcome(attributes)}`);
});

writeCheck('ADDR-UPDATE-WITHOUT-TEMPLATE', async ({ addresses, sharedAddresses, observe }) => {
  const { id } = await sharedAddresses.expendable();
  const empty = await addresses.update(id, undefined, {}, 'update with an empty object');
  const alone = await addresses.update(id, undefined, { id }, 'update with the id alone');
  observe(`{}: ${outcome(empty)}; id alone: ${outcome(alone)}`);
});

writeCheck('ADDR-UPDATE-UNKNOWN-FIELDS', async (context) => {
  const [updated] = await new OpenRequests(context).updates([
    { changes: {}, extra: { conformance_probe: 'x' } },
  ]);
  const { answer, data } = updated!;
  const stored = JSON.stringify(data ?? {}).includes('conformance_probe');
  context.observe(answer.ok ? `accepted and ${stored ? 'stored' : 'ignored'}` : outcome(answer));
});

writeCheck('ADDR-UPDATE-TAX-ID', async (context) => {
  const extra = { address_attributes: { tax_id_number: 'XAXX010101000', tax_id_type: 'RFC' } };
  const [updated] = await new OpenRequests(context).updates([{ changes: {}, extra }]);
  const { answer, data } = updated!;
  const address = (data as { address?: Record<string, unknown> } | undefined)?.address;
  const reads = `${short(address?.tax_id_number)} and ${short(address?.tax_id_type)}`;
  context.observe(answer.ok ? `accepted, answers ${reads}` : outcome(answer));
});

writeCheck(
  'ADDR-UPDATE-SECOND-DEFAULT',
  { touches: { default: 'alone' } },
  async ({ addresses, updates, observe }) => {
    // Not the default where another one is, and a second is refused.
    const first = await updates.start('full', true);
    const second = await addresses.create({ default: false });
    const before = (await addresses.read(first.id)).at('/data/default');
    const answer = await addresses.update(
      second.id,
      { default: true },
      {},
      'make a second address the default',
    );
    const after = (await addresses.read(first.id)).at('/data/default');
    await addresses.remove(first.id);
    await addresses.remove(second.id);
    observe(`${outcome(answer)}; the first reads ${short(before)} and then ${short(after)}`);
  },
);

writeCheck(
  'ADDR-UPDATE-VERIFICATION',
  { touches: { clock: 'move' } },
  async ({ addresses, verification, observe }) => {
    const { id } = await addresses.create();
    await verification.started(id, [await verification.carrier()]);
    await verification.settle();
    const before = (await verification.entries(id)).entries;
    const answer = await addresses.update(id, {
      address_attributes: { street1: `Calle ${addresses.nth()}`, postal_code: '06600' },
    });
    const after = (await verification.entries(id)).entries;
    const same = isDeepStrictEqual(sortedEntries(before), sortedEntries(after));
    observe(`${outcome(answer)}; ${same ? 'the outcome stays' : `${short(before)} becomes ${short(after)}`}`);
  },
);

writeCheck('ADDR-UPDATE-PATCH-MEDIA-TYPES', async ({ addresses, sharedAddresses, observe }) => {
  const { id } = await sharedAddresses.expendable();
  const company = `Empresa ${addresses.nth()}`;
  const answer = await addresses.update(
    id,
    { address_attributes: { company } },
    {},
    'update as a merge patch',
    {
      headers: { 'content-type': 'application/merge-patch+json' },
    },
  );
  const changed = (await addresses.read(id)).at('/data/address/company') === company;
  observe(`${outcome(answer)}${answer.ok ? (changed ? ' and applied' : ' and not applied') : ''}`);
});

writeCheck('ADDR-DELETE-BODY', async ({ sharedAddresses, observe }) => {
  observe(inDetail((await sharedAddresses.deleted()).answer));
});

writeCheck('ADDR-DELETE-DEFAULT', { touches: { default: 'alone' } }, async (context) => {
  const { addresses, updates, observe } = context;
  const other = await addresses.create({ default: false });
  const { id, data } = await updates.start('full', true);
  if (data.default !== true) return observe('the target lets no new address be the default');
  const answer = await addresses.remove(id, 'delete the default address');
  const taken = (await addresses.read(other.id)).at('/data/default') === true;
  observe(`${outcome(answer)}; an address created just before ${taken ? 'takes' : 'does not take'} the flag`);
});
