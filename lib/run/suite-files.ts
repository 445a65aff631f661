/** Where the files of suites are, and the checks that they define. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type DefinedCheck, gatherChecks } from '../check/suite.ts';
import { codeRoots } from '../model/paths.ts';

/** A file that defines checks. */
const SUITE_FILE = /\.suite\.[jt]s$/;

/** Suite files by suite, in the order of their names; this package's suites first. */
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
  return files;
}

/** The checks of these suites, in the order in which a run has them. Throws what loading their files throws. */
export function checksOfSuites(suites: readonly string[]): Promise<DefinedCheck[]> {
  const files = suiteFiles();
  return checksOf(suites.flatMap((suite) => files.get(suite) ?? []));
}

/** The checks that these files define, in the order of the files. Throws what loading them throws. */
export async function checksOf(files: readonly string[]): Promise<DefinedCheck[]> {
  const checks: DefinedCheck[] = [];
  for (const file of files) checks.push(...(await checksIn(file)));
  return checks;
}

const known = new Map<string, DefinedCheck[]>();

/**
 * The checks that a file defines. Suites may run several times in one thread, and Node evaluates a module once.
 * Throws what loading the file throws.
 */
export async function checksIn(file: string): Promise<DefinedCheck[]> {
  const checks = await gatherChecks(async () => {
    await import(/* @vite-ignore */ pathToFileURL(file).href);
  });
  if (checks.length > 0) known.set(file, checks);
  return known.get(file) ?? [];
}
