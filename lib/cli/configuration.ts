/** The configuration that the flags of a command mean. */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { addPlugins, allServices } from '../check/services.ts';
import { type LoadedTarget, loadTarget, targetNames } from '../config/load.ts';
import { pluginFolders } from '../config/plugins.ts';
import type { ConfigSource } from '../config/trust.ts';
import { packageRoot } from '../model/paths.ts';
import { UsageError } from '../model/usage-error.ts';
import type { AnnotatedFile } from '../report/annotations.ts';

/** A target and where its configuration came from. */
export type ConfiguredTarget = LoadedTarget & {
  source: ConfigSource;
  /** There is no configuration here, and none was named: it is the one of the package. */
  isFallback: boolean;
};

/**
 * The target of the flags: from the given file, the one in the current folder, or the package's own. The plugins of
 * the file are loaded.
 */
export async function loadConfigured(flags: { target?: string; config?: string }): Promise<ConfiguredTarget> {
  const source = sourceOf(flags);
  const isFallback = flags.config === undefined && source.named;
  if (isFallback && flags.target !== undefined && flags.target !== 'reference')
    throw new UsageError(
      `--target ${flags.target}: there is no targets.yaml here; \`conform init\` writes one, --config names one that is elsewhere`,
    );
  await addPlugins(pluginFolders(source));
  return { ...loadTarget(source.file, flags.target, process.env, allServices()), source, isFallback };
}

/** The names of all targets of that file. */
export function targetsOf(flags: { config?: string }): string[] {
  return targetNames(sourceOf(flags).file);
}

function sourceOf({ config }: { config?: string }): ConfigSource {
  const found = config === undefined && existsSync('targets.yaml');
  const file = config ?? (found ? 'targets.yaml' : join(packageRoot(), 'targets.yaml'));
  return { file, named: !found };
}

/** Where pipelines show what fails: the target in its configuration. */
export function placeOf({ source, target }: ConfiguredTarget): AnnotatedFile {
  const lines = readFileSync(source.file, 'utf8').split('\n');
  const line = lines.findIndex((each) => each.trim().startsWith(`${target.name}:`)) + 1;
  return { path: relative('.', source.file), line: Math.max(1, line) };
}
