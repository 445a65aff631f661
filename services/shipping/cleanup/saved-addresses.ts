/** What cleanup needs of an address book; `AddressBook` implements it. */
import type { HasSession } from '../../../lib/check/per-run.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { AddressCall } from '../api/address-calls.ts';

export interface SavedAddresses extends HasSession {
  /** Every address of the list. Throws `Blocked` where it cannot be read. */
  items(): Promise<readonly ({ default?: unknown } | null)[]>;
  /** The ids of the addresses that this run made and did not remove. */
  remaining(): Promise<string[]>;
  read(id: string, purpose: string): Promise<Answer>;
  /** Sends one call, without noting what it makes or removes. */
  call(call: AddressCall): Promise<Answer>;
}
