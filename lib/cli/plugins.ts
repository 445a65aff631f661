/**
 * Loads plugins for commands that need no target. Without
 * plugins, the modules that load them are not loaded either.
 */

/** The flag of these commands, with its description. */
export const PLUGINS_FLAG = ['-c, --config <file>', 'configuration whose plugins are loaded'] as const;

/** Loads the plugins of `--config`, and returns their folders. */
export async function loadPlugins({ config }: { config?: string }): Promise<string[]> {
  if (config === undefined) return [];
  const [{ addPlugins }, { pluginFolders }] = await Promise.all([
    import('../check/services.ts'),
    import('../config/plugins.ts'),
  ]);
  const folders = pluginFolders({ file: config, named: true });
  await addPlugins(folders);
  return folders;
}
