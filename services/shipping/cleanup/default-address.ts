/**
 * The `default` flag of addresses that the suite did not make. Making one of its own addresses the default may
 * take the flag from another (a silence), so that one gets it back at the end of the run.
 */
import { CheckContext } from '../../../lib/check/context.ts';
import type { Session } from '../../../lib/check/session.ts';
import { Undecided } from '../../../lib/model/verdict.ts';
import { AddressBook, idOf } from '../api/addresses.ts';

/** To be called before an address is made the default: notes once which addresses are it now. */
export function keepDefaults(book: AddressBook, session: Session): Promise<void> {
  return session.once('shipping: defaults before', async () => {
    const ours = new Set(await book.living());
    // Without a list nothing is known of other addresses, and nothing can be given back.
    const items = await book.items().catch((error: unknown) => {
      if (error instanceof Undecided) throw error;
      return [];
    });
    const ids = items
      .filter((item) => item?.default === true)
      .map(idOf)
      .filter((id) => id !== undefined && !ours.has(id)) as string[];
    const entries = ids.map((id) => ({ id, entry: session.journal.open('shipping.default', { id }) }));
    session.onClose(async () => {
      const own = new AddressBook(new CheckContext(session, [], 'clean up'));
      for (const { id, entry } of entries) {
        await restoreDefault(own, id);
        session.journal.done(entry);
      }
    });
  });
}

/** Makes an address the default again, unless it is. Throws with a sentence when that does not work. */
export async function restoreDefault(book: AddressBook, id: string): Promise<void> {
  const answer = await book.read(id, 'look whether it is still the default');
  if (answer.status === 404 || answer.at('/data/default') === true) return;
  const again = await book.call({
    method: 'PATCH',
    path: `/${encodeURIComponent(id)}`,
    purpose: 'make it the default again',
    body: { json: { address_template: { default: true } } },
  });
  if (!again.ok) throw new Error(`address ${id} is no longer the default: update answered ${again.status}`);
}
