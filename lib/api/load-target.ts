/** Loads targets, for programs. */
import { addPlugins, allServices } from '../check/services.ts';
import type { LoadedTarget } from '../config/load.ts';
import { pluginFolders } from '../config/plugins.ts';

/**
 * Loads a target from a file in the form of `targets.yaml`, and the plugins that the file names. The file
 * counts as trusted, because the caller has named it.
 * @param name name of the target; default: the file's `default`, or its only target
 * @param env where `${VARIABLE}` is looked up
 * @throws UsageError naming file, line and path of a mistake
 */
export async function loadTarget(
  file: string,
  name?: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<LoadedTarget> {
  await addPlugins(pluginFolders({ file, named: true }));
  const config = await import('../config/load.ts');
  return config.loadTarget(file, name, env, allServices());
}
