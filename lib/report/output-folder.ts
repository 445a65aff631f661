/** The folder for reports, which has to be writable before the first request is sent. */
import { accessSync, constants, mkdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../model/usage-error.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'it is a file',
  EISDIR: 'there is a folder of that name',
  ENOTEMPTY: 'there is a folder of that name',
  EDQUOT: 'the quota of the disk is used up',
  ENAMETOOLONG: 'the name is too long',
};

/** Returns why a file could not be written, in words. */
export function whyUnwritten(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return REASONS[code] === undefined ? message : `${REASONS[code]} (${code})`;
}

/**
 * Creates the folder, and a file in it, which is removed again.
 * @throws UsageError where that does not work
 */
export function prepareOutputFolder(folder: string): void {
  const probe = join(folder, `.writable-${process.pid}`);
  try {
    requireOrdinary(folder);
    mkdirSync(folder, { recursive: true });
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error(), { code: 'EEXIST' });
    writeFileSync(probe, 'x');
    rmSync(probe);
  } catch (error) {
    throw new UsageError(`--out ${folder}: reports cannot be written there: ${whyUnwritten(error)}`);
  }
}

/**
 * Throws where the nearest folder that exists cannot be written to, or is of the kernel: below `/proc`,
 * making folders one after the other never ends.
 */
function requireOrdinary(folder: string): void {
  let existing = resolve(folder);
  while (!exists(existing) && dirname(existing) !== existing) existing = dirname(existing);
  if (/^\/(proc|sys)(\/|$)/.test(realpathSync(existing)))
    throw new Error(`${existing} is no place for files`);
  accessSync(existing, constants.W_OK);
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
