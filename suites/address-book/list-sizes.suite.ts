/** 4.1: an item of the list is the same on pages of every size, and without parameters. */
import type { AddressTemplate } from '../../schemas/shipping/index.ts';
import { itemsOf } from '../../services/shipping/api/address-list.ts';
import { keyOf, pageOf } from '../../services/shipping/api/pages.ts';
import { differing, FIELDS, READ_ONLY_FIELDS } from '../../services/shipping/vocabulary.ts';
import { type Difference, expectSameFields } from './answers.ts';
import { check, type SuiteContext } from './suite.ts';

const writeCheck = check.with({ effects: 'write', touches: { addresses: 'still', default: 'alone' } });

const COMPARED = [...FIELDS, ...READ_ONLY_FIELDS];

writeCheck(['ADDR-LIST-ITEM-ADDRESS', 'ADDR-LIST-ITEM-LABELS'], { case: 'sizes' }, async (context) => {
  const { listSnapshot, block } = context;
  // The walk in pages of 20.
  const [whole] = (await listSnapshot.facts()).walks;
  const known = new Map(itemsOf(whole!.walk).map((item) => [keyOf(item), item]));
  let looked = 0;
  for (const { answer } of await listSnapshot.probes()) {
    if (!answer.ok || !Array.isArray(answer.at('/data'))) continue;
    for (const item of pageOf(answer).items) {
      const same = known.get(keyOf(item));
      if (same === undefined) continue;
      looked += 1;
      // An update may have come between the two pages.
      if (differing(item, same, COMPARED).length > 0)
        await expectAsRead(context, item, answer.exchange.request.url);
    }
  }
  if (looked === 0) block('no page shows an address of the whole list', 'ADDR-LIST-NO-GAPS');
});

/** Requires that the page shows an address as a read does. */
async function expectAsRead(
  { addresses, expect }: SuiteContext,
  { id }: AddressTemplate,
  url: string,
): Promise<void> {
  const query = Object.fromEntries(new URL(url).searchParams);
  const answer = await addresses.list(query, 'list the page again');
  const item = answer.ok ? pageOf(answer).items.find((each) => keyOf(each) === id.toLowerCase()) : undefined;
  if (item === undefined) return;
  const { data: read } = await addresses.stored(id);
  for (const [requirement, isNested] of [
    ['ADDR-LIST-ITEM-ADDRESS', true],
    ['ADDR-LIST-ITEM-LABELS', false],
  ] as const) {
    const fields = COMPARED.filter(({ nested }) => nested === isNested);
    const say = ({ pointer, found, expected }: Difference) =>
      `on this page the item's ${pointer} is ${found}, a read gives ${expected}`;
    expectSameFields(expect.for(requirement), item, read, say, { answer, fields });
  }
}
