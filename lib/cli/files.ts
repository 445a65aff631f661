/** How the files that a run wrote are named on the terminal. */
import { basename, dirname, join, sep } from 'node:path';

/** The files with the folder that all of them are in said once. */
export function filesIn(files: readonly string[]): string {
  const folders = new Set(files.map((file) => dirname(file)));
  const [folder = ''] = folders;
  if (folders.size !== 1) return files.join('  ');
  return `${join(folder, sep)}  ${files.map((file) => basename(file)).join('  ')}`;
}
