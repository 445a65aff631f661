/** The configuration that the flags of a command mean. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { addPlugins, allServices, serviceOf } from '../check/services.ts';
import { type LoadedTarget, loadTarget } from '../config/load.ts';
import { pluginFolders } from '../config/plugins.ts';
import type { ConfigSource } from '../config/trust.ts';
import { serviceConfig } from '../config/types.ts';
import { allCatalogues } from '../model/catalogue/registry.ts';
import { packageRoot } from '../model/paths.ts';
import { UsageError } from '../model/usage-error.ts';

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
  const found = flags.config === undefined && existsSync('targets.yaml');
  const file = flags.config ?? (found ? 'targets.yaml' : join(packageRoot(), 'targets.yaml'));
  const source = { file, named: !found };
  const isFallback = flags.config === undefined && !found;
  if (isFallback && flags.target !== undefined && flags.target !== 'reference')
    throw new UsageError(
      `--target ${flags.target}: there is no targets.yaml here; \`conform init\` writes one, --config names one that is elsewhere`,
    );
  await addPlugins(pluginFolders(source));
  return { ...loadTarget(file, flags.target, process.env, allServices()), source, isFallback };
}

/** Loads the plugins of `--config`, for commands that are about no target. */
export async function loadPlugins({ config }: { config?: string }): Promise<void> {
  if (config !== undefined) await addPlugins(pluginFolders({ file: config, named: true }));
}

/** What such commands say of the flag. */
export const PLUGINS_FLAG = ['-c, --config <file>', 'configuration whose plugins are loaded'] as const;

/** The suites that a target can be asked about: those whose service it has a configuration for. */
export function suitesOf({ target }: LoadedTarget): string[] {
  return [...allCatalogues().keys()].filter(
    (suite) => target.embedded || serviceConfig(target, serviceOf(suite).name) !== undefined,
  );
}
