import type { CheckContext } from '../../../lib/check/context.ts';
import { perRun } from '../../../lib/check/per-run.ts';
import { Skipped } from '../../../lib/model/verdict.ts';
import { AddressBook, idOf, shows } from '../api/addresses.ts';
import { OAuth } from '../api/oauth.ts';
import { TokenAccess } from '../api/token-access.ts';

/**
 * Shows that the two configured clients belong to different accounts: the second one does not see an address
 * of the first. Clients that see the same addresses may belong to one account, and may be authorised for each
 * other's tokens (4.8 does not say which clients are). Throws `Skipped` where both see the same addresses, or
 * where there is no address to try this with.
 */
export const requireSeparateAccounts = perRun(
  'shipping: clients of separate accounts',
  async (context: CheckContext): Promise<void> => {
    const book = new AddressBook(context);
    const oauth = new OAuth(context);
    await new TokenAccess(context).requireAddressBook();
    const id = await anAddress(context, book);
    if (id === undefined)
      throw new Skipped(
        'whether the two clients share an account cannot be seen without an address; allow the effect `write`',
      );
    const answer = await book.call({
      method: 'GET',
      path: `/${encodeURIComponent(id)}`,
      purpose: 'read an address as the other client',
      auth: await oauth.issue(oauth.secondClient),
    });
    if (shows(answer, id))
      throw new Skipped(
        'both clients see the same addresses, so that either may be authorised for the tokens of the other',
      );
  },
);

/** Returns the id of an address of the first client: a new one, or one of the list in a read-only run. */
async function anAddress({ session }: CheckContext, book: AddressBook): Promise<string | undefined> {
  if (session.options.effects.includes('write')) return (await book.create()).id;
  return idOf((await book.page({ per_page: 1 })).items[0]);
}
