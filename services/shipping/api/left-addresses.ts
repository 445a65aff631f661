/** Addresses that checks left, by their ids: see `lib/check/reuse.ts`. */
import { type Reuse, type Shelf, shelfFor } from '../../../lib/check/reuse.ts';

/** Those that may be updated, where they turn out to have all fields. */
export const leftAddresses = shelfFor<string>();

/** Those of which nothing is known but that they are there. */
export const spareAddresses = shelfFor<string>();

/**
 * The id of an address that is left, whatever it looks like; nobody else gets it until the check has ended.
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
