/** Which checks there are, without running them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KNOWN_CHECKS } from '../check/source.ts';
import { codeRoot, pluginRoots } from '../model/paths.ts';
import type { KnownCheck } from './known-check.ts';

/**
 * All checks, in the order of a run: as the build left them. From sources, or with plugins, the suites are collected.
 */
export async function knownChecks(): Promise<KnownCheck[]> {
  const compiled = join(codeRoot(), KNOWN_CHECKS);
  if (pluginRoots().length === 0 && existsSync(compiled))
    return JSON.parse(readFileSync(compiled, 'utf8')) as KnownCheck[];
  // Vitest is loaded only here.
  return (await import('./collect-checks.ts')).collectChecks();
}
