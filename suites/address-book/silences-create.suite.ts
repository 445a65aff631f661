/** What 2 and 4.3 leave open about creating addresses: recorded, never failed. */

import { short } from '../../lib/check/validator.ts';
import { isJsonObject } from '../../lib/model/json.ts';
import { itemsOf } from '../../services/shipping/api/address-list.ts';
import { became, OpenRequests } from '../../services/shipping/fixtures/open-requests.ts';
import { inDetail, outcome } from '../../services/shipping/judging/describe.ts';
import {
  FIELDS,
  type FieldName,
  templateOf,
  type Values,
  valueIn,
  valuesOf,
} from '../../services/shipping/vocabulary.ts';
import { check } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

/** Silences about single values, and the values that are sent, one request each. */
const VALUES: [string, [FieldName, unknown][]][] = [
  [
    'ADDR-ADDRESS-TYPE-VALUES',
    [
      ['address_type', 'to'],
      ['address_type', 'both'],
      ['address_type', 'conformance-no-such-type'],
    ],
  ],
  [
    'ADDR-CREATE-WRONG-TYPES',
    [
      ['postal_code', 12345],
      ['phone', 5512345678],
      ['alias_name', 5],
      ['default', 'yes'],
      ['name', ['Ana']],
    ],
  ],
  [
    'ADDR-CREATE-NULL-REQUIRED',
    [
      ['name', null],
      ['alias_name', null],
      ['reference', null],
    ],
  ],
  [
    'ADDR-CREATE-NULL-OPTIONAL',
    [
      ['company', null],
      ['rfc', null],
      ['default', null],
    ],
  ],
  [
    'ADDR-CREATE-EMPTY-STRINGS',
    [
      ['name', ''],
      ['alias_name', ''],
      ['reference', ''],
      ['street1', '   '],
      ['company', ''],
    ],
  ],
  [
    'ADDR-CREATE-WHITESPACE',
    [
      ['name', '  Ana Torres  '],
      ['alias_name', ' Conformance spaces '],
    ],
  ],
  [
    'ADDR-CREATE-VALUE-RULES',
    [
      ['email', 'not an email'],
      ['postal_code', 'ABCDE'],
      ['phone', 'call me'],
      ['country_code', 'ZZ'],
      ['rfc', 'X'],
    ],
  ],
];

for (const [id, tries] of VALUES) {
  writeCheck(id, async (context) => {
    const outcomes = new OpenRequests(context);
    const said: string[] = [];
    for (const [name, value] of tries) {
      said.push(
        `${name} ${JSON.stringify(value)}: ${became(await outcomes.create({ [name]: value }), name)}`,
      );
    }
    context.observe(said.join('; '));
  });
}

writeCheck('ADDR-CREATE-INVALID-ANSWER', async (context) => {
  const { addresses, observe } = context;
  const outcomes = new OpenRequests(context);
  const { name: _, ...nameless } = valuesOf(addresses.fresh());
  const { answer } = await outcomes.post({ address_template: templateOf(nameless) }, 'create without name');
  observe(inDetail(answer));
});

writeCheck('ADDR-CREATE-MAX-LENGTH', async (context) => {
  const outcomes = new OpenRequests(context);
  const said: string[] = [];
  for (const length of [255, 256, 1_000, 10_000]) {
    const { answer, data } = await outcomes.create({ reference: 'a'.repeat(length) });
    const kept = (data as { address?: { reference?: unknown } } | undefined)?.address?.reference;
    said.push(
      `reference of ${length}: ${answer.ok ? `accepted, answers ${String(kept ?? '').length} long` : outcome(answer)}`,
    );
    if (!answer.ok) break;
  }
  context.observe(said.join('; '));
});

writeCheck(
  ['ADDR-CREATE-OMITTED-OPTIONALS', 'ADDR-CREATE-OMITTED-DEFAULT'],
  async ({ sharedAddresses, observe }) => {
    const { read } = await sharedAddresses.sparse();
    const optional = FIELDS.filter((field) => field.optional && field.nested);
    observe(
      optional.map((field) => `${field.name} ${short(valueIn(read.data, field))}`).join(', '),
      'ADDR-CREATE-OMITTED-OPTIONALS',
    );
    observe(`default ${short(read.data.default)}`, 'ADDR-CREATE-OMITTED-DEFAULT');
  },
);

writeCheck(
  'ADDR-CREATE-SECOND-DEFAULT',
  { touches: { default: 'alone' } },
  async ({ addresses, updates, observe }) => {
    const { id: first, data } = await updates.start('full', true);
    const sent = addresses.fresh({ default: true });
    const answer = await addresses.post({ address_template: sent }, 'create a second default address');
    const after = (await addresses.read(first)).at('/data/default');
    await addresses.remove(first);
    const reads = `of the same type: the first reads ${short(data.default)} and then ${short(after)}`;
    if (!answer.ok) return observe(`${outcome(answer)}; ${reads}`);
    const { id: second } = await addresses.made(sent, answer);
    const now = (await addresses.read(second)).at('/data/default');
    await addresses.remove(second);
    observe(`${reads}, the second ${short(now)}`);
  },
);

writeCheck('ADDR-CREATE-UNKNOWN-FIELDS', async (context) => {
  const { faker, observe } = context;
  const own = faker.string.uuid();
  const { answer, id, data } = await new OpenRequests(context).create(
    {},
    { id: own, conformance_probe: 'x' },
  );
  if (!answer.ok) return observe(outcome(answer));
  const stored = JSON.stringify(data ?? {}).includes('conformance_probe');
  observe(
    `accepted; an unknown field is ${stored ? 'stored' : 'ignored'}, an id is ${id === own ? 'taken' : 'ignored'}`,
  );
});

writeCheck('ADDR-CREATE-TAX-ID', async (context) => {
  const { addresses, observe } = context;
  const template = addresses.fresh({
    address_attributes: { tax_id_number: 'XAXX010101000', tax_id_type: 'RFC' } as never,
  });
  const { answer, data } = await new OpenRequests(context).post(
    { address_template: template },
    'create with a tax id',
  );
  const address = (data as { address?: Record<string, unknown> } | undefined)?.address;
  observe(
    answer.ok
      ? `accepted, answers ${short(address?.tax_id_number)} and ${short(address?.tax_id_type)}`
      : outcome(answer),
  );
});

writeCheck('ADDR-TAX-ID-TYPE-VALUES', async ({ addresses, sharedAddresses, observe }) => {
  await sharedAddresses.full();
  const values = new Set(itemsOf(await addresses.look()).map((item) => short(item?.address?.tax_id_type)));
  observe(`seen in the list: ${[...values].join(', ')}`);
});

writeCheck('ADDR-CREATE-OTHER-COUNTRY', async (context) => {
  const outcomes = new OpenRequests(context);
  const places: Values[] = [
    {
      country_code: 'US',
      postal_code: '78701',
      area_level1: 'Texas',
      area_level2: 'Austin',
      phone: '5125550100',
    },
    {
      country_code: 'CO',
      postal_code: '110111',
      area_level1: 'Cundinamarca',
      area_level2: 'Bogota',
      phone: '6015550100',
    },
  ];
  const said: string[] = [];
  for (const place of places)
    said.push(`${place.country_code}: ${became(await outcomes.create(place), 'country_code')}`);
  context.observe(said.join('; '));
});

writeCheck('ADDR-CREATE-FORM-BODY', async (context) => {
  const { addresses, observe } = context;
  const template = addresses.fresh();
  const form: Record<string, string> = {};
  for (const [name, value] of Object.entries(template))
    if (typeof value !== 'object') form[`address_template[${name}]`] = String(value);
  for (const [name, value] of Object.entries(template.address_attributes)) {
    form[`address_template[address_attributes][${name}]`] = String(value);
  }
  const outcomes = new OpenRequests(context);
  const { answer } = await outcomes.create(
    valuesOf(template),
    {},
    { body: { form }, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  );
  observe(outcome(answer));
});

writeCheck('ADDR-CREATE-INITIAL-CARRIERS', async ({ addresses, observe }) => {
  const { id } = await addresses.create();
  observe(short((await addresses.read(id)).at('/data/verified_carriers')));
});

writeCheck('ADDR-RESPONSE-EXTRA-FIELDS', async ({ addresses, sharedAddresses, observe }) => {
  const { read, answer } = await sharedAddresses.full();
  const list = await addresses.list({ per_page: 1 });
  const known = new Set([
    ...FIELDS.map(({ name }) => name as string),
    'id',
    'address',
    'verified_carriers',
    'tax_id_number',
    'tax_id_type',
    'data',
    'meta',
  ]);
  for (const name of ['total_count', 'per_page', 'current_page', 'total_pages', 'next_page', 'prev_page'])
    known.add(name);
  const extra = new Set<string>();
  for (const { json } of [read.answer, answer, list]) {
    for (const pointer of ['', '/data', '/data/address', '/data/0', '/data/0/address', '/meta'])
      collect(json, pointer, known, extra);
  }
  observe(extra.size === 0 ? 'none' : [...extra].sort().join(', '));
});

function collect(json: unknown, pointer: string, known: Set<string>, into: Set<string>): void {
  let at = json;
  for (const part of pointer.split('/').slice(1))
    at = (at as Record<string, unknown> | null | undefined)?.[part];
  if (!isJsonObject(at)) return;
  const place = pointer.replaceAll('/0', '/*');
  for (const name of Object.keys(at)) if (!known.has(name)) into.add(`${place}/${name}`);
}
