/** Finds the files of suites, and the checks that they define. */
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuiltCheck, builtChecks } from '../check/source.ts';
import { type DefinedCheck, gatherChecks } from '../check/suite.ts';
import { codeRoot, codeRoots } from '../model/paths.ts';
import { UsageError } from '../model/usage-error.ts';

/** A file that defines checks. */
const SUITE_FILE = /\.suite\.[jt]s$/;

/**
 * Returns the files of each suite, in the order of their names; this package's suites first.
 * @throws UsageError where files of this package are missing
 */
export function suiteFiles(): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const suites of codeRoots().map((root) => join(root, 'suites'))) {
    for (const entry of readdirSync(suites, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      const names = readdirSync(join(suites, entry.name))
        .filter((name) => SUITE_FILE.test(name))
        .sort();
      const paths = names.map((name) => join(suites, entry.name, name));
      if (paths.length > 0) files.set(entry.name, paths);
    }
  }
  requireWhole([...files.values()].flat());
  return files;
}

/** Throws where a file is missing in which the build found checks: the run would leave them out unnoticed. */
function requireWhole(files: readonly string[]): void {
  const there = new Set(files.map(sourceFile));
  const missing = [...builtChecks().values()].find(({ source }) => !there.has(source.file));
  if (missing)
    throw new UsageError(
      `the installation is damaged: the built file of ${missing.source.file} is missing; install or build again`,
    );
}

/** Returns the checks of these suites, in the order of a run. Throws what loading their files throws. */
export function checksOfSuites(suites: readonly string[]): Promise<DefinedCheck[]> {
  const files = suiteFiles();
  return checksOf(suites.flatMap((suite) => files.get(suite) ?? []));
}

/** Returns the checks that these files define, in the order of the files. Throws what loading them throws. */
export async function checksOf(files: readonly string[]): Promise<DefinedCheck[]> {
  await loadAhead(files);
  const checks: DefinedCheck[] = [];
  for (const file of files) checks.push(...(await checksIn(file)));
  return checks;
}

const known = new Map<string, DefinedCheck[]>();

/**
 * Loads files side by side, so that `checksIn` need not load them one after the other. Only the list that the
 * build wrote says which file defines a check that was loaded this way; files that are not in it, and those
 * that do not load, are left to `checksIn`.
 */
export async function loadAhead(files: readonly string[]): Promise<void> {
  const defining = new Set([...builtChecks().values()].map(({ source }) => source.file));
  const places = new Map(files.map((file) => [sourceFile(file), file]));
  const checks = await gatherChecks(async () => {
    const ahead = [...places].filter(([place, file]) => defining.has(place) && !known.has(file));
    await Promise.allSettled(ahead.map(([, file]) => import(/* @vite-ignore */ pathToFileURL(file).href)));
  });
  for (const check of checks) {
    const file = places.get(check.source?.file ?? '');
    if (file === undefined) throw new Error(`check ${check.id}: unknown to the build; build again`);
    known.set(file, [...(known.get(file) ?? []), check]);
  }
}

/**
 * Returns those of the files that define a wanted check. A file of which the build knows no check may define
 * any, and is always returned.
 */
export function filesDefining(files: readonly string[], isWanted: (check: BuiltCheck) => boolean): string[] {
  const wanted = new Map<string, boolean>();
  for (const check of builtChecks().values())
    wanted.set(check.source.file, wanted.get(check.source.file) || isWanted(check));
  return files.filter((file) => wanted.get(sourceFile(file)) ?? true);
}

/** Returns the source of a built file, as the list of the build names it: relative to the package. */
export function sourceFile(file: string): string {
  return relative(codeRoot(), file).replaceAll('\\', '/').replace(/\.js$/, '.ts');
}

/**
 * Returns the checks that a file defines. It remembers them, because suites may run several times in one
 * thread, and Node evaluates a module only once. Throws what loading the file throws.
 */
export async function checksIn(file: string): Promise<DefinedCheck[]> {
  const checks = await gatherChecks(async () => {
    await import(/* @vite-ignore */ pathToFileURL(file).href);
  });
  if (checks.length > 0) known.set(file, checks);
  return known.get(file) ?? [];
}
