/** The client applications of a target, by role, and the address book as each of them sees it. */
import { CheckContext } from '../../../lib/check/context.ts';
import type { Session } from '../../../lib/check/session.ts';
import { AddressBook } from '../api/addresses.ts';
import { type Client, OAuth } from '../api/oauth.ts';

/** As whom the suite works: `clientId` of the configuration, or `secondClient`. */
export type Role = 'first' | 'second';

/** The credentials of a role. Throws where the configuration has none. */
export function clientOf(session: Session, role: string): Client {
  const oauth = new OAuth({ session });
  const client = role === 'second' ? oauth.secondClient : oauth.client;
  if (!client) throw new Error(`there is no ${role} client in the configuration`);
  return client;
}

/** The address book of a role, for cleaning. */
export async function bookOf(session: Session, role: string): Promise<AddressBook> {
  const context = new CheckContext(session, [], 'clean up');
  if (role === 'first') return new AddressBook(context);
  return new AddressBook(context, await new OAuth({ session }).issue(clientOf(session, role)));
}
