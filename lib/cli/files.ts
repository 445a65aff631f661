/** Names the files that a run wrote, for the terminal. */
import { basename, dirname, join, sep } from 'node:path';

/** Returns the names of the files. A folder that contains all of them is named only once. */
export function filesIn(files: readonly string[]): string {
  const folders = new Set(files.map((file) => dirname(file)));
  const [folder = ''] = folders;
  if (folders.size !== 1) return files.join('  ');
  return `${join(folder, sep)}  ${files.map((file) => basename(file)).join('  ')}`;
}
