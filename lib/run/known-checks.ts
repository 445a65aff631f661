/** Lists the checks without running them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KNOWN_CHECKS } from '../check/source.ts';
import { allCatalogues } from '../model/catalogue/registry.ts';
import { codeRoot } from '../model/paths.ts';
import type { KnownCheck } from './known-check.ts';

/**
 * Returns all checks, in the order of a run. Those that the build has written to a file are read from it; those of
 * other suites, which are those of plugins or, from sources, all, are collected by loading them.
 */
export async function knownChecks(): Promise<KnownCheck[]> {
  const compiled = join(codeRoot(), KNOWN_CHECKS);
  const built = existsSync(compiled) ? (JSON.parse(readFileSync(compiled, 'utf8')) as KnownCheck[]) : [];
  const known = new Set(built.map(({ suite }) => suite));
  const others = [...allCatalogues().keys()].filter((suite) => !known.has(suite));
  if (others.length === 0) return built;
  // Imported only here, since it loads the code that runs checks.
  const { collectChecks } = await import('./collect-checks.ts');
  return [...built, ...(await collectChecks(others))];
}
