/** Plugins for commands that are about no target. What loads them is loaded only where there are any. */

/** What such commands say of the flag. */
export const PLUGINS_FLAG = ['-c, --config <file>', 'configuration whose plugins are loaded'] as const;

/** Loads the plugins of `--config`. */
export async function loadPlugins({ config }: { config?: string }): Promise<void> {
  if (config === undefined) return;
  const [{ addPlugins }, { pluginFolders }] = await Promise.all([
    import('../check/services.ts'),
    import('../config/plugins.ts'),
  ]);
  await addPlugins(pluginFolders({ file: config, named: true }));
}
