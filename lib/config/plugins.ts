/** Finds the plugins of a configuration. They are code: only a trusted one may load them (trust.ts). */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isSeq, LineCounter, parseDocument } from 'yaml';
import { UsageError } from '../model/usage-error.ts';
import { type ConfigSource, isTrusted } from './trust.ts';

/**
 * Returns the folders of the plugins that the file lists under `plugins`. A path is relative to the file; a
 * name is looked up in `node_modules`, from the folder of the file upwards. Without the file there are none.
 * @throws UsageError when plugins are listed that may not be loaded or do not exist
 */
export function pluginFolders(source: ConfigSource): string[] {
  const { file } = source;
  if (!existsSync(file) || !statSync(file).isFile()) return [];
  const text = readFileSync(file, 'utf8');
  // Most files list no plugins. This test saves parsing them once more.
  if (!/["']?plugins["']?\s*:/.test(text)) return [];
  const lines = new LineCounter();
  const node = parseDocument(text, { lineCounter: lines }).get('plugins');
  // Any other value is reported when the file is validated by its schema.
  const names = isSeq(node) ? (node.toJSON() as unknown[]).filter((name) => typeof name === 'string') : [];
  if (!isSeq(node) || names.length === 0) return [];
  const at = `${file}:${lines.linePos(node.range?.[0] ?? 0).line}: plugins`;
  if (!isTrusted(source)) {
    throw new UsageError(
      `${at}: a configuration that was found in the folder and not named loads no code: name it with --config ${file}, or trust the folder once with \`conform trust\``,
    );
  }
  return names.map((name) => {
    const folder = folderOf(name, dirname(resolve(file)));
    if (folder === undefined) throw new UsageError(`${at}: there is no folder or package ${name}`);
    if (!['services', 'suites'].some((part) => existsSync(join(folder, part))))
      throw new UsageError(`${at}: ${name} is no plugin: it has neither \`services\` nor \`suites\``);
    return folder;
  });
}

function folderOf(name: string, from: string): string | undefined {
  const isPath = name.startsWith('.') || isAbsolute(name);
  const candidates = isPath
    ? [resolve(from, name)]
    : above(from).map((each) => join(each, 'node_modules', name));
  return candidates.find((each) => existsSync(each) && statSync(each).isDirectory());
}

/** Returns a folder and all folders that contain it, the nearest first. */
function above(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...above(parent)];
}
