import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the folder of this package, whether its sources or its build (`dist/`) are running. */
export function packageRoot(): string {
  return isBuilt() ? dirname(codeRoot()) : codeRoot();
}

/** Returns the folder that the running code is in: the package's own, or its `dist/`. */
export function codeRoot(): string {
  return dirname(dirname(dirname(fileURLToPath(import.meta.url))));
}

/** Returns whether the compiled code is running, and not the TypeScript sources. */
export function isBuilt(): boolean {
  return basename(codeRoot()) === 'dist';
}

/** Returns the path of a module of this package, given without its extension and relative to `codeRoot()`. */
export function codeFile(path: string): string {
  return `${join(codeRoot(), path)}.${isBuilt() ? 'js' : 'ts'}`;
}

const added: string[] = [];

/**
 * Returns the folders that hold `services/`, `suites/`, `reference/` and `deviations/`: this package's own
 * first, then those of the loaded plugins.
 */
export function codeRoots(): readonly string[] {
  return [codeRoot(), ...added];
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
