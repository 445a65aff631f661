/** Makes room in the account of the run where the target refuses to save more addresses. */
import type { Session } from '../../../lib/check/session.ts';
import { bookOf } from '../api/addresses.ts';
import { CreatedAddresses } from './created-addresses.ts';

/**
 * Deletes the addresses that checks which have ended made for themselves, where a create was refused. What checks
 * share stays. Returns whether any was deleted.
 */
export async function makeRoom(session: Session): Promise<boolean> {
  const made = await CreatedAddresses.of({ session }, (role) => bookOf(session, role));
  const book = await bookOf(session, 'first');
  let isMade = false;
  for (const id of made.unneeded())
    if ((await book.remove(id, 'delete an address of an earlier check, to make room')).ok) isMade = true;
  return isMade;
}
