/** The folder for reports, which has to be writable before the first request is sent. */
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireOrdinary } from '../model/ordinary-folder.ts';
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
