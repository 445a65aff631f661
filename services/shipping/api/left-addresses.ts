/** Ids of addresses that a check left for others to use: see `lib/check/reuse.ts`. */
import { type Reuse, type Shelf, shelfFor } from '../../../lib/check/reuse.ts';

/** Addresses that updates can be made on, if a read shows that they have all fields. */
export const leftAddresses = shelfFor<string>();

/** Addresses of which nothing is known but that they exist. */
export const spareAddresses = shelfFor<string>();

/**
 * Returns the id of an address that was left, whatever it looks like. No other check gets it until this one
 * has ended.
 *
 * @param living ids of the addresses that the run made and did not remove
 */
export function takeSpare(reuse: Reuse, living: readonly string[]): string | undefined {
  for (const shelf of [spareAddresses, leftAddresses]) {
    const id = takeLiving(reuse, shelf, living);
    if (id === undefined) continue;
    reuse.leave(spareAddresses, id);
    return id;
  }
  return undefined;
}

function takeLiving(reuse: Reuse, shelf: Shelf<string>, living: readonly string[]): string | undefined {
  const left = reuse.of(shelf);
  let id = left?.take();
  while (id !== undefined && !living.includes(id)) id = left?.take();
  return id;
}
