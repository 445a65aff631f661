/** Other addresses than the one that was deleted stay as they were, for checks of 4.5. */
import type { CheckContext } from '../../lib/check/context.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { AddressTemplate } from '../../schemas/shipping/index.ts';
import { itemsOf } from '../../services/shipping/api/address-list.ts';
import type { AddressBook } from '../../services/shipping/api/addresses.ts';
import { keyOf } from '../../services/shipping/api/pages.ts';
import { isUuid } from '../../services/shipping/judging/address-ids.ts';
import { FIELDS_BUT_DEFAULT } from '../../services/shipping/vocabulary.ts';
import { type Difference, expectSameFields } from './answers.ts';
import type { SuiteContext } from './suite.ts';

/** The items of the list, by key. */
export type ListedItems = ReadonlyMap<string, AddressTemplate>;

/** Returns the items that the list shows now. */
export async function listedItems(addresses: AddressBook): Promise<ListedItems> {
  return new Map(itemsOf(await addresses.look()).map((item) => [keyOf(item), item]));
}

/**
 * Requires that an address is as it was before another one was deleted, but that it may be the default now.
 *
 * @param what names it in the message
 * @param answer the answer that shows it; absent where that is a page of the list
 */
export function expectUnchanged(
  expect: CheckContext['expect'],
  was: unknown,
  is: unknown,
  what: string,
  answer?: Answer,
): void {
  const say = ({ pointer, found, expected }: Difference) =>
    `${what} has ${pointer} ${found} after another was deleted, before it had ${expected}`;
  expectSameFields(expect, is, was, say, { ...(answer && { answer }), fields: FIELDS_BUT_DEFAULT });
}

/**
 * Requires that the list shows the addresses as it did before an address was deleted.
 *
 * @param id the address that was deleted
 * @param before the items that are compared, as they were before
 */
export async function expectOthersKept(
  { addresses, expect }: Pick<SuiteContext, 'addresses' | 'expect'>,
  id: string,
  before: ListedItems,
  after: ListedItems,
): Promise<void> {
  for (const [key, was] of before) {
    if (key === id.toLowerCase()) continue;
    const is = after.get(key);
    if (is) expectUnchanged(expect, was, is, `the address ${key}`);
    // Where the pages do not show an address, pagination may be at fault, so a read decides.
    else if (isUuid(key))
      expect.accepted(await addresses.read(was.id, 'read a third address'), `only ${id} was deleted`);
  }
}
