/**
 * 4.1: pagination of addresses that are equal in every field by which a list may be ordered. A server without
 * a tie-breaker in its order shows some of them twice and others never.
 */
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { itemsOf } from '../../services/shipping/api/address-list.ts';
import { keyOf, pageOf } from '../../services/shipping/api/pages.ts';
import { check, type SuiteContext } from './suite.ts';

const writeCheck = check.with({ effects: 'write', touches: { addresses: 'alone' } });

/** How many such addresses are created. */
const ALIKE = 4;

writeCheck('ADDR-LIST-NO-REPEATS', { case: 'equal-values' }, async (context) => {
  const { addresses, expect, block } = context;
  const alike = await alikeAddresses(context);
  const keys = itemsOf(await addresses.walk()).map(keyOf);
  const places = keys.flatMap((key, n) => (alike.has(key) ? [n] : []));
  if (places.length === 0) block('none of the new addresses is in the list', 'ADDR-CREATE-LISTED');
  const following = [...alike].map((_, n) => places[0]! + n).filter((n) => n < keys.length);
  const asked = [...new Set([...places, ...following])].sort((a, b) => a - b);
  // A repeat has to show twice: somebody else may have saved or deleted an address just then.
  const repeat = (await repeatOn(context, asked)) && (await repeatOn(context, asked));
  if (!repeat) return;
  const { answer, key, page, before } = repeat;
  expect.fail(`with per_page 1 the address ${key} is on page ${page} and on page ${before}`, {
    answer,
    at: '/data',
    expected: `another address than on page ${before}`,
    found: key,
  });
});

/**
 * Creates addresses that differ in their e-mail address only, and returns their ids. Skips where the target
 * refuses them or takes them for one.
 */
async function alikeAddresses({ addresses, skip }: SuiteContext): Promise<Set<string>> {
  const { id, sent } = await addresses.create({}, 'create the first of several addresses that are alike');
  const ids = new Set([id.toLowerCase()]);
  for (let n = 1; n < ALIKE; n += 1) {
    const { email } = addresses.fresh().address_attributes;
    const body = { ...sent, address_attributes: { ...sent.address_attributes, email } };
    const answer = await addresses.post({ address_template: body }, 'create an address of the same values');
    if (!answer.ok) skip(`an address of the same values as another is answered ${answer.status}`);
    ids.add((await addresses.made(body, answer, 'taken')).id.toLowerCase());
  }
  if (ids.size < ALIKE) skip('addresses of the same values are taken for one');
  return ids;
}

/** Returns the first of these pages that shows an address of an earlier one; `undefined` if none does. */
async function repeatOn({ addresses, block }: SuiteContext, places: readonly number[]) {
  const base = await addresses.base();
  const seen = new Map<string, number>();
  for (const page of places.map((place) => base + place)) {
    const answer: Answer = await addresses.list({ page, per_page: 1 }, `list page ${page} of 1`);
    requireOk(answer, 'ADDR-LIST-PER-PAGE-HONOURED');
    const { items } = pageOf(answer);
    if (items.length !== 1)
      block(`a page of 1 carries ${items.length} addresses`, 'ADDR-LIST-PER-PAGE-HONOURED');
    const key = keyOf(items[0]);
    const before = seen.get(key);
    if (before !== undefined) return { answer, key, page, before };
    seen.set(key, page);
  }
  return undefined;
}
