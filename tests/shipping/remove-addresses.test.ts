/** Addresses are removed at the end of a run: what could not be looked for is not taken for gone. */
import { expect, test } from 'vitest';
import type { Session } from '../../lib/check/session.ts';
import { Answer } from '../../lib/http/answer.ts';
import type { Exchange } from '../../lib/model/results.ts';
import { Blocked } from '../../lib/model/verdict.ts';
import { removeAddresses } from '../../services/shipping/cleanup/remove-addresses.ts';
import type { SavedAddresses } from '../../services/shipping/cleanup/saved-addresses.ts';

const OWN = { id: 'one', alias_name: 'mark of the run' };
const session = { time: { rest: async () => {} } } as unknown as Session;

/** An address book that cannot be listed after the first time, with one address, which reads answer with `reads`. */
function unlistable(reads: number, deletes: number): SavedAddresses {
  let looks = 0;
  const answer = (status: number) =>
    new Answer({} as Exchange, status, status === 200 ? JSON.stringify({ data: OWN }) : '');
  return {
    session,
    items: async () => {
      looks += 1;
      if (looks > 1) throw new Blocked('the list is answered 520');
      return [OWN];
    },
    read: async () => answer(reads),
    call: async () => answer(deletes),
  } as unknown as SavedAddresses;
}

const REMOVAL = { mark: 'mark of the run', ids: ['one'], sent: [], nameless: false, unsure: false };

test('an address that a read still shows is not taken for gone while the list cannot be read', async () => {
  const removed: string[] = [];
  const left = await removeAddresses(unlistable(200, 520), session, REMOVAL, (id) => removed.push(id));
  expect(removed).toEqual([]);
  expect(left).toEqual(['address one could not be removed: delete answered 520']);
});

test('nor is one that cannot be read either', async () => {
  const removed: string[] = [];
  const removing = removeAddresses(unlistable(520, 520), session, REMOVAL, (id) => removed.push(id));
  await expect(removing).rejects.toThrow('could not be read');
  expect(removed).toEqual([]);
});

test('one that a read does not find is gone', async () => {
  const removed: string[] = [];
  expect(await removeAddresses(unlistable(404, 200), session, REMOVAL, (id) => removed.push(id))).toEqual([]);
  expect(removed).toEqual(['one']);
});

test('the flag is taken from a default address whose delete is refused', async () => {
  const sent: string[] = [];
  let isDefault = true;
  let isThere = true;
  const answer = (status: number, data?: object) =>
    new Answer({} as Exchange, status, JSON.stringify({ data }));
  const item = () => ({ ...OWN, default: isDefault });
  const book = {
    session,
    items: async () => (isThere ? [item()] : []),
    read: async () => answer(isThere ? 200 : 404, isThere ? item() : undefined),
    call: async ({ method }: { method: string }) => {
      sent.push(method);
      if (method === 'DELETE' && isDefault) return answer(422);
      if (method === 'DELETE') isThere = false;
      else isDefault = false;
      return answer(200, {});
    },
  } as unknown as SavedAddresses;
  const removed: string[] = [];
  expect(await removeAddresses(book, session, REMOVAL, (id) => removed.push(id))).toEqual([]);
  expect(sent).toEqual(['DELETE', 'PATCH', 'DELETE']);
  expect(removed).toEqual(['one']);
});
