/**
 * The `default` flag of addresses that the suite did not make. Making one of its own addresses the default
 * may take the flag from another one (a silence), which gets it back at the end of the run.
 */

import { createHash } from 'node:crypto';
import { ForeignThing } from '../../../lib/check/journal/foreign-thing.ts';
import { carries } from '../../../lib/check/journal/format.ts';
import { perRun } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import { readUntilSure } from '../../../lib/http/read-until-sure.ts';
import { Undecided } from '../../../lib/model/verdict.ts';
import { idOf } from '../api/address-answers.ts';
import { FIELDS_BUT_DEFAULT, valueIn } from '../vocabulary.ts';
import type { SavedAddresses } from './saved-addresses.ts';

/** Kind of the journal entry for an address that had the flag. */
export const DEFAULT_KIND = 'shipping.default';

/** The pauses before each further read until the flag is back, in milliseconds. */
const SETTLE_MS = [100, 300, 900, 2_700];

/**
 * Has to be called before an address is made the default: notes once in a run which addresses are the default
 * now.
 *
 * @param own gives the address book with which they get the flag back at the end of the run
 */
export const keepDefaults = perRun(
  'shipping: defaults before',
  async (book: SavedAddresses, own: () => Promise<SavedAddresses>): Promise<void> => {
    const { session } = book;
    const ours = new Set(await book.remaining());
    const items = await itemsBefore(book, session);
    const ids = items
      .filter((item) => item?.default === true && !carries(item, session.mark))
      .map(idOf)
      .filter((id) => id !== undefined && !ours.has(id)) as string[];
    const entries: { had: Default; entry: number }[] = [];
    for (const id of ids) {
      const read = () => book.read(id, 'read the default address');
      const had = { id, digest: digestOf((await readUntilSure(session.http.recorder, read)).at('/data')) };
      entries.push({ had, entry: session.journal.open(DEFAULT_KIND, { ...had }, { account: 'first' }) });
    }
    session.onUndo(async () => {
      for (const { had, entry } of entries) {
        await restoreDefault(await own(), session, had);
        session.journal.done(entry);
      }
    });
  },
  { by: () => [] },
);

/** After this many lists that a gateway may have answered, no address is made the default. */
const MOST_LISTS = 12;

/**
 * Returns every address of the list. Where the target does not let it be read, returns none: nothing is known
 * of other addresses then, and none can get the flag back. Throws `Undecided` where the failure may be a
 * gateway's.
 */
async function itemsBefore(book: SavedAddresses, { http: { recorder } }: Session) {
  for (let n = 1; ; n += 1) {
    try {
      return await book.items();
    } catch (error) {
      const last = recorder.scope.own.at(-1);
      const doubt = last && recorder.disturbances.doubtOf(last);
      if (error instanceof Undecided) throw error;
      if (doubt === undefined) return [];
      if (n >= MOST_LISTS)
        throw new Undecided(`which address is the default cannot be read: ${doubt}, ${n} times`);
    }
  }
}

/** An address that was the default before the run. */
export interface Default {
  id: string;
  /** Shows whether the id still leads to the same address; see `digestOf`. */
  digest: string;
}

/**
 * Returns a digest of everything in an address but the flag. The address is somebody else's data, so it is
 * not written to the journal itself.
 */
function digestOf(data: unknown): string {
  const values = FIELDS_BUT_DEFAULT.map((field) => valueIn(data, field) ?? null);
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}

/**
 * Makes an address the default again, unless it already is or no longer exists. Throws an error whose message
 * is a sentence for the user when that does not work, or when the id leads to a changed or another address by
 * now.
 *
 * @param mark the mark of the run, given where others may have changed the target since. A default address
 *   without the mark was then made the default by somebody else, and `ForeignThing` is thrown
 */
export async function restoreDefault(
  book: SavedAddresses,
  session: Session,
  { id, digest }: Default,
  mark?: string,
): Promise<void> {
  const answer = await book.read(id, 'look whether it is still the default');
  if (answer.status === 404 || answer.at('/data/default') === true) return;
  if (digestOf(answer.at('/data')) !== digest)
    throw new Error(
      `address ${id} was the default before the run, and was changed or is another one now: left as it is`,
    );
  if (mark !== undefined) {
    const other = (await book.items()).find((item) => item?.default === true && !carries(item, mark));
    if (other)
      throw new ForeignThing(
        `address ${id} was the default before the run, and now ${idOf(other)} is, which the run did not make: left as it is`,
      );
  }
  const again = await book.call({
    method: 'PATCH',
    path: `/${encodeURIComponent(id)}`,
    purpose: 'make it the default again',
    body: { json: { address_template: { default: true } } },
  });
  if (!again.ok) throw new Error(`address ${id} is no longer the default: update answered ${again.status}`);
  for (const waitMs of SETTLE_MS) {
    const read = await book.read(id, 'look whether it is the default again');
    if (read.at('/data/default') === true) return;
    await session.time.rest(waitMs);
  }
  throw new Error(`address ${id} was made the default again, and does not read so`);
}
