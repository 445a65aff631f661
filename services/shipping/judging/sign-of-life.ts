import type { CheckContext } from '../../../lib/check/context.ts';
import { perRun } from '../../../lib/check/per-run.ts';
import { Blocked, Skipped } from '../../../lib/model/verdict.ts';
import { AddressBook, idOf } from '../api/addresses.ts';

/**
 * Shows that the address book stores what it is sent: a label that only this run knows comes back in answer
 * to a later request. A server that answers every request alike, or echoes what it was just sent, cannot do
 * that. Where the run may not write, an existing address is compared between list and read. Throws `Blocked`
 * when there is no sign, and `Skipped` when there is no address to compare.
 */
export const signOfLife = perRun('shipping: sign of life', async (context: CheckContext): Promise<void> => {
  const { session } = context;
  const book = new AddressBook(context);
  const mayWrite = session.options.effects.includes('write');
  if (mayWrite ? await showsNewAddress(book) : await showsOldAddress(book)) return;
  if (!mayWrite) throw new Blocked('list and read do not agree on a saved address');
  throw new Blocked(
    'no request shows an address that another one saved, so that a pass would mean nothing',
    'ADDR-CREATE-READABLE',
  );
});

async function showsNewAddress(book: AddressBook): Promise<boolean> {
  const sent = book.fresh();
  // Whether labels may be stored in another case is no question of life.
  const isLabel = (value: unknown) => String(value).toLowerCase() === sent.alias_name.toLowerCase();
  const answer = await book.post({ address_template: sent }, 'create an address as a sign of life');
  if (!answer.ok) return false;
  const id = idOf(answer.at('/data'));
  if (id !== undefined) {
    const read = await book.read(id, 'look for the sign of life');
    if (read.ok && isLabel(read.at('/data/alias_name'))) {
      await book.remove(id);
      return true;
    }
  }
  const item = await book
    .listed((each) => isLabel(each.alias_name))
    .catch((error: unknown) => {
      if (!(error instanceof Blocked)) throw error;
      return undefined;
    });
  return item !== undefined;
}

async function showsOldAddress(book: AddressBook): Promise<boolean> {
  const { items } = await book.page();
  if (items.length === 0)
    throw new Skipped('no saved address to look at, and effects `write` are off for this run');
  for (const item of items) {
    const id = idOf(item);
    if (id === undefined || typeof item.alias_name !== 'string') continue;
    const read = await book.read(id);
    const other = await book.read('00000000-0000-4000-8000-000000000000', 'read an id that nobody has');
    return read.at('/data/alias_name') === item.alias_name && !other.ok;
  }
  return false;
}
