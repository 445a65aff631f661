/** Makes room in the account of the run where the target refuses to save more addresses. */
import type { Adapted } from '../../../lib/check/service.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { CheckResult } from '../../../lib/model/results.ts';
import { bookOf } from '../api/addresses.ts';
import { CreatedAddresses } from './created-addresses.ts';

/**
 * Deletes the addresses that checks which have ended made for themselves, where one is blocked since a create was
 * refused. What checks share stays.
 */
export async function adapt(session: Session, { verdict }: CheckResult): Promise<Adapted> {
  if (verdict !== 'blocked') return undefined;
  const made = await CreatedAddresses.of({ session }, (role) => bookOf(session, role));
  const book = await bookOf(session, 'first');
  let isMade = false;
  for (const id of made.unneeded())
    if ((await book.remove(id, 'delete an address of an earlier check, to make room')).ok) isMade = true;
  return isMade ? 'what failed' : undefined;
}
