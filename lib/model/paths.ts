import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this package, whether its sources or its build (`dist/`) are running. */
export function packageRoot(): string {
  return isBuilt() ? dirname(codeRoot()) : codeRoot();
}

/** The folder that the running code is in: the package's own, or its `dist/`. */
export function codeRoot(): string {
  return dirname(dirname(dirname(fileURLToPath(import.meta.url))));
}

/** Whether the build is running, and not its sources. */
export function isBuilt(): boolean {
  return basename(codeRoot()) === 'dist';
}

/** The path of one of our own modules, given without its extension and relative to the code's root. */
export function codeFile(path: string): string {
  return `${join(codeRoot(), path)}.${isBuilt() ? 'js' : 'ts'}`;
}

const added: string[] = [];

/**
 * The folders that hold `services/`, `suites/`, `reference/` and `deviations/`: this package's own first, then those
 * of the plugins that were loaded.
 */
export function codeRoots(): readonly string[] {
  return [codeRoot(), ...added];
}

/** The folders of the plugins that were loaded. */
export function pluginRoots(): readonly string[] {
  return added;
}

/** Notes a plugin's folder. */
export function addCodeRoot(folder: string): void {
  added.push(folder);
}

/** The file of a module below a root, given without its extension; `undefined` where there is none. */
export function moduleFile(root: string, path: string): string | undefined {
  return ['js', 'mjs', 'ts']
    .map((ending) => join(root, `${path}.${ending}`))
    .find((file) => existsSync(file));
}
