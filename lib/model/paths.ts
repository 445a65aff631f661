import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this package, whether its sources or its build (`dist/`) are running. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** The folder that the running code is in: the package's own, or its `dist/`. */
export function codeRoot(): string {
  return dirname(dirname(dirname(fileURLToPath(import.meta.url))));
}
