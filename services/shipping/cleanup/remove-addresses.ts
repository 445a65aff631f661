/** Removing addresses that the suite made: known by the id that was answered, and shown to be its own by a read. */
import { isDeepStrictEqual } from 'node:util';
import { ForeignThing } from '../../../lib/check/journal/foreign-thing.ts';
import { carries } from '../../../lib/check/journal/format.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { Blocked, Undecided } from '../../../lib/model/verdict.ts';
import { type AddressBook, idOf } from '../api/addresses.ts';
import { fieldNamed, fits, type Values, valueIn } from '../vocabulary.ts';

/** What is to be removed from one address book. */
export interface Removal {
  /** Whatever carries it was made by the run. */
  mark: string;
  /** Ids that were answered to creates and not removed since. */
  ids: readonly string[];
  /** What creates sent that could not carry the mark, field by field. */
  sent: readonly Values[];
  /** Whether a create was sent and not surely answered: it may be carried out later. */
  unsure: boolean;
}

/** Milliseconds before each further look, where something may yet be carried out. */
const LATER_MS = [300, 900, 1_800];
/** Fields that have to be there before an address without the mark is recognised by them. */
const ENOUGH_FIELDS = 4;

/**
 * Removes the addresses of a run from one address book. Nothing is removed when one of the ids leads to an
 * address that the run did not make: `ForeignThing` is thrown then.
 *
 * @param removed called with the ids of those that are gone
 * @returns what could not be removed, a sentence each
 */
export async function removeAddresses(
  book: AddressBook,
  session: Session,
  removal: Removal,
  removed: (id: string) => void,
): Promise<string[]> {
  const left = new Map<string, string>();
  const looks = removal.unsure ? LATER_MS.length : 0;
  for (let look = 0; look <= looks; look += 1) {
    if (look > 0) await session.time.rest(LATER_MS[look - 1]!);
    const ids = await ownIds(book, look === 0 ? removal : { ...removal, ids: [] }, removed);
    for (const id of ids) {
      const problem = await removeOne(book, id);
      if (problem === undefined) removed(id);
      if (problem === undefined) left.delete(id);
      else left.set(id, problem);
    }
  }
  return [...left.values()];
}

/** The ids of addresses of the run that are there. */
async function ownIds(
  book: AddressBook,
  removal: Removal,
  removed: (id: string) => void,
): Promise<Set<string>> {
  const own = new Set<string>();
  const items = await listed(book);
  for (const item of items) {
    const id = idOf(item);
    if (id !== undefined && isOwn(item, removal)) own.add(id);
  }
  for (const id of removal.ids) {
    if (own.has(id)) continue;
    const answer = await book.read(id, 'look whether it is an address of this run');
    if (answer.status === 404 || answer.status === 410) removed(id);
    else if (!answer.ok)
      throw new Error(`address ${id} could not be read before it is removed: ${answer.status}`);
    else if (isOwn(answer.at('/data'), removal)) own.add(id);
    else
      throw new ForeignThing(
        `address ${id} does not carry the mark ${removal.mark} of the run that is said to have made it: nothing was removed; look at it, and remove it if it is yours to remove`,
      );
  }
  return own;
}

/** Every address of the list; none where it cannot be read, so that only ids lead to them. */
async function listed(book: AddressBook): Promise<unknown[]> {
  try {
    return await book.items();
  } catch (error) {
    if (error instanceof Blocked) return [];
    throw error;
  }
}

function isOwn(item: unknown, { mark, sent }: Removal): boolean {
  return carries(item, mark) || sent.some((values) => isAsSent(item, values));
}

/** Whether an address has every value that was sent, and enough of them to tell it from all others. */
function isAsSent(item: unknown, sent: Values): boolean {
  const fields = Object.keys(sent).map((name) => fieldNamed(name as never));
  const texts = fields.filter(
    (field) => typeof sent[field.name] === 'string' && fits(field, sent[field.name]),
  );
  return (
    texts.length >= ENOUGH_FIELDS &&
    texts.every((field) => isDeepStrictEqual(valueIn(item, field), sent[field.name]))
  );
}

/** Why an address could not be removed; undefined when it is gone. Tried again where there is no answer. */
async function removeOne(book: AddressBook, id: string): Promise<string | undefined> {
  let answer: Answer;
  try {
    answer = await book.remove(id, 'clean up').catch((error: unknown) => {
      if (error instanceof Undecided) return book.remove(id, 'clean up');
      throw error;
    });
  } catch (error) {
    return `address ${id} could not be removed: ${(error as Error).message}`;
  }
  if (answer.ok || answer.status === 404 || answer.status === 410) return undefined;
  return `address ${id} could not be removed: delete answered ${answer.status}`;
}
