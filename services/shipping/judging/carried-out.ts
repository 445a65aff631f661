/** Section 8: whether requests that were refused because of the rate limit took effect nevertheless. */
import type { Answer } from '../../../lib/http/answer.ts';
import { Blocked } from '../../../lib/model/verdict.ts';
import type { AddressBook } from '../api/addresses.ts';

/** A request that was refused and took effect nevertheless. */
export interface CarriedOut {
  answer: Answer;
  /** Its effect, in words. */
  effect: string;
}

/**
 * Returns the first refused update, delete or create that took effect, looking in that order; `undefined`
 * where none did. Throws `Blocked` where the address that was to be updated no longer exists.
 *
 * @param refused answers to refused requests of every kind
 * @param expected how many addresses there should be; refused creates are looked for only where the list
 *   gives another number
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
    // No delete was sent for this address, so a 404 means that its creation did not last.
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

/**
 * Whether all of these addresses are gone. A single one proves nothing: a gateway that got no answer to the
 * first delete may have sent it again, so that the first was carried out and the second refused.
 */
async function areGone(book: AddressBook, removals: readonly Answer[]): Promise<boolean> {
  for (const removal of removals) {
    const read = await book.read(idIn(removal), 'read an address whose removal was refused');
    if (read.status !== 404) return false;
  }
  return true;
}

/** Returns the address id at the end of the request's path. */
function idIn({ exchange: { request } }: Answer): string {
  return decodeURIComponent(request.url.slice(request.url.lastIndexOf('/') + 1));
}

/** Returns the label (`alias_name`) that the request gave an address; `undefined` where it gave none. */
function labelIn({ exchange: { request } }: Answer): unknown {
  const { address_template } = JSON.parse(request.body?.text ?? '{}') as {
    address_template?: { alias_name?: unknown };
  };
  return address_template?.alias_name;
}
