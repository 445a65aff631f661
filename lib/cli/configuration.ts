/** The configuration that the flags of a command mean. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { allServices } from '../check/services.ts';
import { type LoadedTarget, loadTarget } from '../config/load.ts';
import { packageRoot } from '../model/paths.ts';

/** The target of the flags: from the given file, the one in the current folder, or the package's own. */
export function loadConfigured(flags: { target?: string; config?: string }): LoadedTarget {
  const own = existsSync('targets.yaml') ? 'targets.yaml' : join(packageRoot(), 'targets.yaml');
  return loadTarget(flags.config ?? own, flags.target, process.env, allServices());
}
