import type { AddressBook, Made } from './addresses.ts';

/**
 * Another address with the label of one that is there; where the target refuses that, as labels may have to be
 * unique, or takes it for the same address, one with a label of its own.
 */
export async function namesake(book: AddressBook, { id, sent }: Pick<Made, 'id' | 'sent'>): Promise<Made> {
  const body = book.fresh({ alias_name: sent.alias_name });
  const answer = await book.post({ address_template: body }, 'create an address of the same label');
  if (answer.ok) {
    const made = await book.made(body, answer);
    if (made.id !== id) return made;
  }
  return book.create();
}
