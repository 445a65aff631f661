/** Undoes journal entries of the shipping service: addresses that are left, default flags, tokens. */

import type { ServiceCleanup, Undoing } from '../../../lib/check/cleanup.ts';
import type { JournalEntry } from '../../../lib/check/journal/format.ts';
import { isJsonObject } from '../../../lib/model/json.ts';
import { bookOf } from '../api/addresses.ts';
import { ALL_KIND, ONE_KIND } from './created-addresses.ts';
import { DEFAULT_KIND, restoreDefault } from './default-address.ts';
import { TOKENS_KIND } from './issued-tokens.ts';
import { removeAddresses } from './remove-addresses.ts';

export const cleanup: ServiceCleanup = {
  identify: ({ shipping }) =>
    shipping && {
      baseUrl: shipping.baseUrl,
      accounts: {
        first: shipping.clientId,
        ...(shipping.secondClient && { second: shipping.secondClient.clientId }),
      },
    },

  undoers: {
    // This comes first, while the addresses of the run still exist and show that it was the run that took the
    // flag.
    [DEFAULT_KIND]: { effect: 'write', undo: restoreDefaults },
    [ONE_KIND]: { effect: 'write', undo: removeMade },
    [ALL_KIND]: { effect: 'write', undo: removeMade },
    [TOKENS_KIND]: { effect: 'none', undo: reportTokens },
  },
};

async function restoreDefaults(entries: readonly JournalEntry[], undoing: Undoing): Promise<string[]> {
  const { session, account, header, later } = undoing;
  const book = await bookOf(session, account);
  const left: string[] = [];
  for (const entry of entries) {
    const { id, digest } = entry.detail;
    if (typeof id !== 'string' || typeof digest !== 'string') left.push(`entry ${entry.n} names no address`);
    else {
      await restoreDefault(book, session, { id, digest }, later ? header.mark : undefined);
      undoing.done(entry);
    }
  }
  return left;
}

async function removeMade(entries: readonly JournalEntry[], undoing: Undoing): Promise<string[]> {
  const { session, account, header } = undoing;
  const ids = entries.map(({ detail }) => detail.id).filter((id) => typeof id === 'string');
  const byId = new Map(entries.map((entry) => [entry.detail.id, entry]));
  const nameless = entries.some(({ kind, detail }) => kind === ONE_KIND && detail.id === undefined);
  const left = await removeAddresses(
    await bookOf(session, account),
    session,
    {
      mark: header.mark,
      ids,
      sent: entries.flatMap(({ detail }) => (isJsonObject(detail.sent) ? [detail.sent] : [])),
      nameless,
      unsure: nameless && !undoing.later,
    },
    (id) => {
      const entry = byId.get(id);
      // While an id is unknown, all entries stay open: known addresses show whether the list hides any.
      if (entry && !nameless) undoing.done(entry);
    },
  );
  if (left.length === 0) for (const entry of entries) undoing.done(entry);
  return left;
}

/**
 * Reports tokens that may still be valid. The journal does not contain tokens, so they cannot be revoked
 * later; they expire by themselves.
 */
async function reportTokens(entries: readonly JournalEntry[], undoing: Undoing): Promise<string[]> {
  for (const entry of entries) {
    const { count, until } = entry.detail;
    const alive = typeof until === 'string' && Date.parse(until) > Date.now();
    if (typeof count === 'number' && count > 0 && alive)
      undoing.stays(`up to ${count} access tokens of the ${entry.account} client live until ${until}`);
    undoing.done(entry);
  }
  return [];
}
