/** What 4.1 leaves open about the list: recorded, never failed. */
import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../../lib/http/answer.ts';
import type { AddressTemplate } from '../../schemas/shipping/index.ts';
import { itemsOf } from '../../services/shipping/api/address-list.ts';
import { idOf } from '../../services/shipping/api/addresses.ts';
import type { Query } from '../../services/shipping/api/pages.ts';
import { ODD_QUERIES, oddList, otherList, queryText } from '../../services/shipping/fixtures/odd-lists.ts';
import { inDetail, outcome, pageIn } from '../../services/shipping/judging/describe.ts';
import { check } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

writeCheck('ADDR-LIST-ORDER', { touches: { addresses: 'alone' } }, async ({ addresses, observe }) => {
  const made = [await addresses.create(), await addresses.create(), await addresses.create()];
  const isIt = made.map(
    ({ id }) =>
      (item: AddressTemplate) =>
        idOf(item) === id,
  );
  const items = itemsOf(await addresses.look(...isIt));
  const listed = items.map(idOf);
  const places = made.map(({ id }) => listed.indexOf(id));
  const labels = items.map((item) => item?.alias_name);
  if (places.includes(-1)) return observe('new addresses are not in the list');
  if (isDeepStrictEqual(labels, [...labels].sort())) return observe('by label');
  if (places[0]! < places[1]! && places[1]! < places[2]!) return observe('oldest first');
  observe(
    places[0]! > places[1]! && places[1]! > places[2]! ? 'newest first' : 'neither by label nor by age',
  );
});

writeCheck(
  'ADDR-LIST-PAGE-BASE',
  { touches: { addresses: 'still' } },
  async ({ addresses, listSnapshot, observe }) => {
    await listSnapshot.facts();
    observe(`the first page has the number ${await addresses.base()}`);
  },
);

writeCheck(
  'ADDR-LIST-PAGE-DEFAULT',
  { touches: { addresses: 'still' } },
  async ({ addresses, listSnapshot, observe }) => {
    await listSnapshot.facts();
    const without = await addresses.list({ per_page: 5 }, 'list without a page number');
    const first = await addresses.list({ page: await addresses.base(), per_page: 5 }, 'list the first page');
    const same = isDeepStrictEqual(idsOf(without), idsOf(first));
    observe(same ? 'the first page' : `another one than the first: ${pageIn(without)}`);
  },
);

for (const [id, queries] of ODD_QUERIES) {
  check(id, async (context) => {
    const said: string[] = [];
    for (const query of queries) said.push(`${queryText(query)}: ${pageIn(await oddList(context, query))}`);
    context.observe(said.join('; '));
  });
}

check('ADDR-LIST-INVALID-ANSWER', async ({ addresses, observe }) => {
  const queries: Query[] = [
    { page: -1 },
    { page: 'first' },
    { per_page: -1 },
    { per_page: 'all' },
    { per_page: 21 },
  ];
  const said = new Set<string>();
  for (const query of queries) {
    const answer = await addresses.list(query, 'list with a parameter that may be refused');
    if (!answer.ok) said.add(inDetail(answer));
  }
  observe(said.size === 0 ? 'none of the parameters that were tried is refused' : [...said].join('; '));
});

check(
  'ADDR-LIST-EMPTY-META',
  { needs: ['shipping.secondClient'], touches: { addresses: 'alone' } },
  async (context) => {
    const { observe, skip } = context;
    // The suite does not empty the first client's address book; the second client's may be empty.
    const answer = await otherList(context);
    const data = answer.at('/data');
    if (answer.ok && Array.isArray(data) && data.length > 0)
      skip('no empty collection to look at: the second client has addresses');
    observe(pageIn(answer));
  },
);

writeCheck('ADDR-NO-CONTENT-TYPE', async ({ addresses, observe }) => {
  const { id } = await addresses.create();
  const headers = { 'content-type': undefined };
  const list = await addresses.list({ per_page: 1 }, 'list without Content-Type', { headers });
  const read = await addresses.call({
    method: 'GET',
    path: `/${id}`,
    purpose: 'read without Content-Type',
    headers,
  });
  const remove = await addresses.remove(id, 'delete without Content-Type', { headers });
  observe(`list: ${outcome(list)}; read: ${outcome(read)}; delete: ${outcome(remove)}`);
});

function idsOf(answer: Answer): unknown {
  const data = answer.at('/data');
  return Array.isArray(data) ? data.map(idOf) : answer.status;
}
