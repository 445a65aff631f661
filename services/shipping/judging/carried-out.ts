/** 8: whether requests that were refused for their rate were carried out all the same. */
import type { Answer } from '../../../lib/http/answer.ts';
import { Blocked } from '../../../lib/model/verdict.ts';
import type { AddressBook } from '../api/addresses.ts';

/** A request that was refused and carried out. */
export interface CarriedOut {
  answer: Answer;
  /** Its effect, in words. */
  effect: string;
}

/**
 * A refused update, delete or create whose effect is there, looked for in this order.
 *
 * @param refused answers to requests of every kind
 * @param expected how many addresses there ought to be: only where there are others they are looked through
 */
export async function carriedOut(
  book: AddressBook,
  refused: readonly Answer[],
  expected: number,
): Promise<CarriedOut | undefined> {
  const of = (wanted: string) => refused.filter(({ exchange: { request } }) => request.method === wanted);
  const [updates, removals] = [of('PATCH'), of('DELETE')];
  if (updates.length > 0) {
    const read = await book.read(idIn(updates[0]!), 'read the address whose updates were refused');
    // Nothing was asked of it that could have removed it.
    if (read.status === 404) throw new Blocked('a new address cannot be read', 'ADDR-CREATE-LASTS');
    const done = updates.find((answer) => read.ok && read.at('/data/alias_name') === labelIn(answer));
    if (done) return { answer: done, effect: 'the address has the new values' };
    if (removals.length > 0 && (await areGone(book, removals)))
      return { answer: removals[0]!, effect: 'the address is gone' };
  }
  const creates = of('POST').filter((answer) => labelIn(answer) !== undefined);
  if (creates.length === 0) return undefined;
  const { total } = await book.count('list addresses, for their number after the load');
  if (total === expected) return undefined;
  const found = await book.listed(({ alias_name }) => creates.some((each) => labelIn(each) === alias_name));
  const done = creates.find((answer) => labelIn(answer) === found?.alias_name);
  return done && { answer: done, effect: 'the new address is in the list' };
}

/** Whether all of them are: a single one may have been sent a second time by a gateway, which saw no answer to the first. */
async function areGone(book: AddressBook, removals: readonly Answer[]): Promise<boolean> {
  for (const removal of removals) {
    const read = await book.read(idIn(removal), 'read an address whose removal was refused');
    if (read.status !== 404) return false;
  }
  return true;
}

/** The id that the path ends with. */
function idIn({ exchange: { request } }: Answer): string {
  return decodeURIComponent(request.url.slice(request.url.lastIndexOf('/') + 1));
}

/** The label that the request gave an address, if it did. */
function labelIn({ exchange: { request } }: Answer): unknown {
  const { address_template } = JSON.parse(request.body?.text ?? '{}') as {
    address_template?: { alias_name?: unknown };
  };
  return address_template?.alias_name;
}
