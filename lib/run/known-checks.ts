/** Lists the checks without running them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KNOWN_CHECKS } from '../check/source.ts';
import { codeRoot, pluginRoots } from '../model/paths.ts';
import type { KnownCheck } from './known-check.ts';

/**
 * Returns all checks, in the order of a run. A build has written them to a file; from sources, or with
 * plugins, they are collected from the suites.
 */
export async function knownChecks(): Promise<KnownCheck[]> {
  const compiled = join(codeRoot(), KNOWN_CHECKS);
  if (pluginRoots().length === 0 && existsSync(compiled))
    return JSON.parse(readFileSync(compiled, 'utf8')) as KnownCheck[];
  // Imported only here, since it loads the code that runs checks.
  return (await import('./collect-checks.ts')).collectChecks();
}
