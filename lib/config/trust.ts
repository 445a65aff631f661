/**
 * Decides which configurations may start programs. A `targets.yaml` that merely lies in the working folder
 * may have come with a repository that somebody cloned; one that was named with `--config`, or whose folder
 * the user trusts, is the user's own.
 */
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { UsageError } from '../model/usage-error.ts';
import { stateFolder } from './state-folder.ts';
import type { ResolvedTarget } from './types.ts';

/** Where a configuration came from. */
export interface ConfigSource {
  file: string;
  /** Whether the user named the file with `--config`, or it is the package's own. */
  named: boolean;
}

/** Returns whether a configuration may start programs, load code and name folders to write to. */
export function isTrusted({ file, named }: ConfigSource): boolean {
  return named || trustedFolders().includes(realFolder(dirname(resolve(file))));
}

/** Records permanently that the user trusts the configuration in a folder. */
export function trustFolder(folder: string): void {
  const folders = [...new Set([...trustedFolders(), realFolder(resolve(folder))])].sort();
  mkdirSync(stateFolder(), { recursive: true, mode: 0o700 });
  writeFileSync(listFile(), `${JSON.stringify(folders, undefined, 2)}\n`, { mode: 0o600 });
}

/** Returns the programs that a target's hooks start, each as `hooks.seed (node)`. */
export function programsOf(target: ResolvedTarget): string[] {
  return Object.entries(target.hooks).flatMap(([name, hook]) =>
    hook?.command ? [`hooks.${name} (${(hook.command as string[])[0]})`] : [],
  );
}

/**
 * Requires that a configuration may start the programs that it names, and asks the user if it may not yet.
 * @param ask asks the user on a terminal; undefined where there is none
 * @throws UsageError saying how to allow it, unless the configuration is trusted or the user agrees
 */
export async function requireTrust(
  source: ConfigSource,
  target: ResolvedTarget,
  ask?: (question: string) => Promise<boolean>,
): Promise<void> {
  const programs = programsOf(target);
  if (programs.length === 0 || isTrusted(source)) return;
  const what = `${source.file} starts programs: ${programs.join(', ')}`;
  const folder = dirname(resolve(source.file));
  if (ask && (await ask(`${what}\nDo you trust the configuration in ${folder}?`))) return trustFolder(folder);
  throw new UsageError(
    `${what}; a configuration that was found in the folder and not named starts none: name it with --config ${source.file}, or trust the folder once with \`conform trust\``,
  );
}

/**
 * Requires that a path that an untrusted configuration names, for writing or reading, is inside the working
 * folder once symbolic links are resolved.
 * @param key where the configuration names it, for the message
 * @throws UsageError when it is outside
 */
export function requireInside(source: ConfigSource, path: string, key: string): void {
  if (isTrusted(source)) return;
  const root = realFolder(process.cwd());
  const real = realFolder(resolve(path));
  if (real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)) return;
  throw new UsageError(
    `${key}: ${path} leads outside of the working folder; a configuration that was not named may not do that: name it with --config ${source.file}, or trust the folder once with \`conform trust\``,
  );
}

/** Returns the path of a folder or file with symbolic links resolved, as far as it exists. */
function realFolder(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(realFolder(parent), path.slice(parent.length).replace(/^[/\\]+/, ''));
}

function listFile(): string {
  return join(stateFolder(), 'trusted-folders.json');
}

function trustedFolders(): string[] {
  if (!existsSync(listFile())) return [];
  try {
    const folders: unknown = JSON.parse(readFileSync(listFile(), 'utf8'));
    return Array.isArray(folders) ? folders.filter((folder) => typeof folder === 'string') : [];
  } catch {
    return [];
  }
}
