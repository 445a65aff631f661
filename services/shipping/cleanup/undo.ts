/** Undoes journal entries of the shipping service: addresses made and not removed, defaults taken away. */
import { CheckContext } from '../../../lib/check/context.ts';
import type { JournalEntry } from '../../../lib/check/journal.ts';
import type { Session } from '../../../lib/check/session.ts';
import { AddressBook, idOf } from '../api/addresses.ts';
import { restoreDefault } from './default-address.ts';

export const undoers = {
  'shipping.address': async (entry: JournalEntry, session: Session): Promise<void> => {
    const book = new AddressBook(new CheckContext(session, [], 'clean up'));
    const { id, alias_name: alias } = entry.detail;
    // Interrupted between request and answer there is no id; the alias is unique to the run.
    const ids = typeof id === 'string' ? [id] : typeof alias === 'string' ? await withAlias(book, alias) : [];
    for (const each of ids) {
      const answer = await book.remove(each, 'clean up');
      if (!answer.ok && answer.status !== 404) throw new Error(`delete answered ${answer.status}`);
    }
  },
  'shipping.default': async ({ detail }: JournalEntry, session: Session): Promise<void> => {
    const book = new AddressBook(new CheckContext(session, [], 'clean up'));
    if (typeof detail.id === 'string') await restoreDefault(book, detail.id);
  },
};

async function withAlias(book: AddressBook, alias: string): Promise<string[]> {
  const items = (await book.items()).filter((item) => item?.alias_name === alias);
  return items.map(idOf).filter((id) => id !== undefined);
}
