import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CODE_ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const IS_BUILT = basename(CODE_ROOT) === 'dist';

/** Returns the folder of this package, whether its sources or its build (`dist/`) are running. */
export function packageRoot(): string {
  return IS_BUILT ? dirname(CODE_ROOT) : CODE_ROOT;
}

/** Returns the folder that the running code is in: the package's own, or its `dist/`. */
export function codeRoot(): string {
  return CODE_ROOT;
}

/** Returns whether the compiled code is running, and not the TypeScript sources. */
export function isBuilt(): boolean {
  return IS_BUILT;
}

/** Returns the path of a module of this package, given without its extension and relative to `codeRoot()`. */
export function codeFile(path: string): string {
  return `${join(CODE_ROOT, path)}.${IS_BUILT ? 'js' : 'ts'}`;
}

const added: string[] = [];

/**
 * Returns the folders that hold `services/`, `suites/`, `reference/` and `deviations/`: this package's own
 * first, then those of the loaded plugins.
 */
export function codeRoots(): readonly string[] {
  return [CODE_ROOT, ...added];
}

/** Returns the folders of the loaded plugins. */
export function pluginRoots(): readonly string[] {
  return added;
}

/** Registers the folder of a plugin that is loaded. */
export function addCodeRoot(folder: string): void {
  added.push(folder);
}

/** Returns the file of a module below a root, given without its extension; `undefined` when there is none. */
export function moduleFile(root: string, path: string): string | undefined {
  return ['js', 'mjs', 'ts']
    .map((ending) => join(root, `${path}.${ending}`))
    .find((file) => existsSync(file));
}
