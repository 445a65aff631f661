/**
 * Removes addresses that the suite made. It knows them by the id in the answer to their create, and reads
 * each of them to see that it is its own.
 */
import { isDeepStrictEqual } from 'node:util';
import { ForeignThing } from '../../../lib/check/journal/foreign-thing.ts';
import { carries } from '../../../lib/check/journal/format.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { Blocked, Undecided } from '../../../lib/model/verdict.ts';
import { idOf } from '../api/address-answers.ts';
import { fieldNamed, fits, type Values, valueIn } from '../vocabulary.ts';
import type { SavedAddresses } from './saved-addresses.ts';

/** What is to be removed from one address book. */
export interface Removal {
  /** The mark of the run: whatever carries it was made by the run. */
  mark: string;
  /** Ids from the answers to creates that were not removed since. */
  ids: readonly string[];
  /**
   * Ids of addresses without the mark whose delete was answered with success. Another address may have such
   * an id by now.
   */
  gone?: readonly string[];
  /** The values of each create that could not carry the mark, by field. */
  sent: readonly Values[];
  /** Whether there may be an address whose id is not known, so that only the list can show it. */
  nameless: boolean;
  /** Whether a create was sent a moment ago without a reliable answer: it may still be carried out. */
  unsure: boolean;
}

/** The pauses before each further look, in milliseconds, where a request may still be carried out. */
const LATER_MS = [300, 900, 1_800];
/** How many text fields must match before an address without the mark is recognised as the run's own. */
const ENOUGH_FIELDS = 4;

/**
 * Removes the addresses of a run from one address book, and looks whether they are gone, since an answer
 * alone does not show that. Where one of the ids leads to an address that the run did not make, removes
 * nothing and throws `ForeignThing`.
 *
 * @param removed called with the id of each address that is gone
 * @returns what could not be removed or looked for, a sentence each
 */
export async function removeAddresses(
  book: SavedAddresses,
  session: Session,
  removal: Removal,
  removed: (id: string) => void,
): Promise<string[]> {
  const first = await ownIn(book, removal, removed);
  const problems = new Map<string, string>();
  const deleted = new Set<string>();
  let { there } = first;
  for (let look = 0; ; look += 1) {
    for (const id of there) problems.set(id, await removeOne(book, id));
    for (const id of there) deleted.add(id);
    if (look === LATER_MS.length || (there.size === 0 && !removal.unsure)) break;
    // After the first deletes, the next look follows at once; otherwise there is a pause before it.
    if (look > 0 || there.size === 0) await session.time.rest(LATER_MS[look]!);
    const looked = { ...removal, ids: [], gone: [...deleted] };
    ({ there } = await ownIn(book, looked, () => {}, first.listed));
  }
  for (const id of deleted) if (!there.has(id)) removed(id);
  const left = [...there].map((id) => `address ${id} could not be removed: ${problems.get(id)}`);
  const isHidden = [...first.there].some((id) => !first.listed.has(id));
  if (removal.nameless && (isHidden || !first.isListed))
    left.push(
      'the list of addresses does not show everything, so an address whose create got no answer may be left',
    );
  return left;
}

/** Addresses of a run. */
interface Own {
  /** Ids of those that are there. */
  there: Set<string>;
  /** Those among them that the list shows. */
  listed: Set<string>;
  /** Whether the list could be read. */
  isListed: boolean;
}

/**
 * @param listedBefore those that the list showed at an earlier look, so that the service is there. While the list can
 *   be read, they need not be looked for by their ids.
 */
async function ownIn(
  book: SavedAddresses,
  removal: Removal,
  removed: (id: string) => void,
  listedBefore?: ReadonlySet<string>,
): Promise<Own> {
  const isSeen = listedBefore !== undefined;
  let items = await listed(book);
  if (items === undefined && !isSeen) {
    // The token of a cleanup is new, and a service may accept it only a moment later.
    await book.session.time.rest(LATER_MS[1]!);
    items = await listed(book);
  }
  const own = (items ?? []).filter((item) => isOwn(item, removal)).map(idOf);
  const there = new Set(own.filter((id) => id !== undefined));
  const shown = new Set(there);
  const { ids, gone = [] } = removal;
  const missing: string[] = [];
  for (const id of [...ids, ...gone]) {
    if (there.has(id) || (items !== undefined && listedBefore?.has(id))) continue;
    const answer = await book.read(id, 'look whether it is an address of this run');
    if (answer.status === 404 || answer.status === 410) missing.push(id);
    else if (!answer.ok)
      throw new Error(`address ${id} could not be read before it is removed: ${answer.status}`);
    else if (isOwn(answer.at('/data'), removal)) there.add(id);
    else if (ids.includes(id))
      throw new ForeignThing(
        `address ${id} does not carry the mark ${removal.mark} of the run that is said to have made it: nothing was removed; look at it, and remove it if it is yours to remove`,
      );
    else removed(id);
  }
  // If nothing at all can be seen, "not found" may be the answer of a gateway in front of the service.
  if (missing.length > 0 && items === undefined && !isSeen && there.size === 0)
    throw new Error(
      `${missing.length === 1 ? 'an address is' : `${missing.length} addresses are`} not found, and the list cannot be read either: that does not show that they are removed`,
    );
  for (const id of missing) removed(id);
  return { there, listed: shown, isListed: items !== undefined };
}

/** Returns every address of the list; `undefined` where it cannot be read, and only ids are known. */
async function listed(book: SavedAddresses): Promise<readonly unknown[] | undefined> {
  try {
    return await book.items();
  } catch (error) {
    if (error instanceof Blocked) return undefined;
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

/**
 * Sends the delete, and once more if there is no answer. A default address may not be deleted: then the flag is taken
 * from it first. Returns the result in words, which are shown if the address is still there.
 */
async function removeOne(book: SavedAddresses, id: string): Promise<string> {
  try {
    const answer = await sendDelete(book, id);
    if (answer.ok || !(await gaveFlagAway(book, id, answer))) return said(answer);
    return said(await sendDelete(book, id));
  } catch (error) {
    return (error as Error).message;
  }
}

const said = ({ status, ok }: Answer): string =>
  `delete answered ${status}${ok ? ', and it is still there' : ''}`;

async function sendDelete(book: SavedAddresses, id: string): Promise<Answer> {
  const remove = () =>
    book.call({ method: 'DELETE', path: `/${encodeURIComponent(id)}`, purpose: 'clean up' });
  return remove().catch((error: unknown) => {
    if (error instanceof Undecided) return remove();
    throw error;
  });
}

/** Takes the flag from a default address whose delete was refused. Returns whether that was answered with success. */
async function gaveFlagAway(book: SavedAddresses, id: string, { status }: Answer): Promise<boolean> {
  if (status < 400 || status >= 500 || status === 404 || status === 410) return false;
  const read = await book.read(id, 'look whether it is the default address');
  if (read.at('/data/default') !== true) return false;
  const update = await book.call({
    method: 'PATCH',
    path: `/${encodeURIComponent(id)}`,
    purpose: 'take the flag from it, to remove it',
    body: { json: { address_template: { default: false } } },
  });
  return update.ok;
}
