/** Tells folders for files from those of the kernel. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Throws where the nearest folder that exists cannot be written to, or is of the kernel: below `/proc`,
 * making folders one after the other never ends.
 */
export function requireOrdinary(folder: string): void {
  let existing = resolve(folder);
  while (!exists(existing) && dirname(existing) !== existing) existing = dirname(existing);
  if (/^\/(proc|sys)(\/|$)/.test(realpathSync(existing)))
    throw new Error(`${existing} is no place for files`);
  accessSync(existing, constants.W_OK);
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
