/** Compares the entries of verified carriers in the answers about an address (section 3). */
import { Blocked } from '../../../lib/model/verdict.ts';

/** An entry of `verified_carriers` that has not been validated. */
export type Entry = Record<string, unknown>;

/** Returns the entries of a carrier. Its name may be in other letter case, or longer or shorter. */
export function entriesOf(entries: Entry[], carrier: string): Entry[] {
  const wanted = canonical(carrier);
  return entries.filter((entry) => {
    const name = canonical(entry.carrier_name);
    return name !== '' && (name.startsWith(wanted) || wanted.startsWith(name));
  });
}

/** Whether a carrier has an entry that was not there before, or that has changed since. */
export function hasOutcome(entries: Entry[], carrier: string, before: Entry[]): boolean {
  return changedEntries(entriesOf(entries, carrier), before).length > 0;
}

/** Returns the entries that `before` does not contain in exactly this form. */
export function changedEntries(entries: Entry[], before: Entry[]): Entry[] {
  const known = new Set(before.map(textOf));
  return entries.filter((entry) => !known.has(textOf(entry)));
}

/**
 * Returns the entries of a list of verified carriers. Throws `Blocked` where one lacks a property or has it
 * in a wrong type: another requirement fails for that.
 */
export function properEntries(entries: unknown): Entry[] {
  if (!Array.isArray(entries))
    throw new Blocked('`verified_carriers` is not a list', 'ADDR-TEMPLATE-VERIFIED-CARRIERS');
  for (const entry of entries as (Entry | null)[]) {
    if (typeof entry?.carrier_name !== 'string')
      throw new Blocked('an entry has no text as `carrier_name`', 'ADDR-CARRIER-NAME');
    if (typeof entry.status !== 'string')
      throw new Blocked('an entry has no text as `status`', 'ADDR-CARRIER-STATUS');
    if (entry.verification_id !== null && typeof entry.verification_id !== 'string') {
      throw new Blocked(
        '`verification_id` of an entry is neither text nor null',
        'ADDR-CARRIER-VERIFICATION-ID',
      );
    }
  }
  return entries as Entry[];
}

/** The documented properties of an entry (section 3). */
const MEMBERS = ['carrier_name', 'status', 'verification_id'];

/**
 * Returns the documented properties of the entries as text in a fixed order, so that lists in different orders
 * compare as equal.
 */
export function sortedEntries(entries: unknown): unknown {
  if (!Array.isArray(entries)) return entries;
  return entries.map((entry) => JSON.stringify(entry, MEMBERS)).sort();
}

/** Returns an entry as text that does not depend on the order of its properties. */
function textOf(entry: unknown): string {
  const keys = entry !== null && typeof entry === 'object' ? Object.keys(entry).sort() : undefined;
  return JSON.stringify(entry, keys);
}

function canonical(name: unknown): string {
  return typeof name === 'string' ? name.toLowerCase().replaceAll(/[^a-z0-9]/g, '') : '';
}
