/** Undoes journal entries of the shipping service: addresses that were made and not removed. */
import { CheckContext } from '../../../lib/check/context.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { JournalEntry } from '../../../lib/journal/journal.ts';
import { AddressBook } from './addresses.ts';

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
};

async function withAlias(book: AddressBook, alias: string): Promise<string[]> {
  const pages = await book.all();
  return pages.flatMap((page) => page.items.filter((item) => item.alias_name === alias).map((item) => item.id));
}
