/** Finds what files import, and makes digests of them. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { packageRoot } from '../model/paths.ts';

/** A relative path in an import statement or in a call of `import`. */
const IMPORTED = /(?:\bfrom|\bimport)\s*\(?\s*(?:\/\*[^*]*\*\/\s*)?['"](\.[^'"]+)['"]/g;

/** Reads each file once. */
export class Imports {
  readonly #imported = new Map<string, string[]>();
  readonly #digests = new Map<string, string>();

  /**
   * Returns a file and everything that it imports, directly or not.
   * @param except files that are left out, with what only they import
   */
  below(file: string, except: ReadonlySet<string> = new Set()): Set<string> {
    const found = new Set<string>();
    const open = [file];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (found.has(next) || except.has(next)) continue;
      found.add(next);
      open.push(...this.#importsOf(next));
    }
    return found;
  }

  /**
   * Returns a digest of the names and contents of files, in whatever order they are given. It is the same
   * wherever the package is.
   */
  digest(files: Iterable<string>): string {
    const hash = createHash('sha256');
    for (const file of [...new Set(files)].sort())
      hash.update(`${relative(packageRoot(), file)}\n${this.#digestOf(file)}\n`);
    return hash.digest('hex');
  }

  #importsOf(file: string): string[] {
    const known = this.#imported.get(file);
    if (known) return known;
    const folder = dirname(file);
    const imports = [...readFileSync(file, 'utf8').matchAll(IMPORTED)]
      .map(([, path]) => join(folder, path as string))
      .filter((path) => existsSync(path));
    this.#imported.set(file, imports);
    return imports;
  }

  #digestOf(file: string): string {
    const digest = this.#digests.get(file) ?? createHash('sha256').update(readFileSync(file)).digest('hex');
    this.#digests.set(file, digest);
    return digest;
  }
}
