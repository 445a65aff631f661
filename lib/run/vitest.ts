/** Vitest as a library: how an instance is opened, and where the suite files are. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest, type Reporter, type Vitest } from 'vitest/node';
import { codeRoot, codeRoots, pluginRoots } from '../model/paths.ts';

/**
 * Opens an instance that runs test files one after the other in one worker thread, and tells `reporter`.
 * The files are taken from where this code runs (sources or build). Close it when done.
 */
export async function openVitest(reporter: Reporter): Promise<Vitest> {
  const folder = codeRoot();
  const isBuilt = extension(folder) === 'js';
  const before = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));
  const vitest = await createVitest(
    'test',
    {
      root: folder,
      config: false,
      watch: true,
      include: [`**/*.suite.${extension(folder)}`],
      // Vitest leaves out node_modules by default, which is where an installed package lives.
      exclude: [],
      pool: 'threads',
      isolate: false,
      fileParallelism: false,
      maxWorkers: 1,
      // Which tests run side by side is for the lanes to say.
      maxConcurrency: Number.MAX_SAFE_INTEGER,
      sequence: { sequencer: InGivenOrder },
      reporters: [reporter],
      // A plugin must meet the one `lib` that runs here, wherever it is installed.
      alias: aliases(),
      server: {
        deps: {
          inline: [OWN_FILE, ...(isBuilt ? [] : [SUITE_FILE]), ...pluginRoots().map(below)],
          // What is built needs no resolving and no transforming, which takes longer than the checks of many a run.
          external: isBuilt ? [below(folder)] : [],
        },
      },
      // A file whose checks are all left out by --grep is no mistake.
      passWithNoTests: true,
      cache: false,
      api: false,
    } as never,
    { clearScreen: false, logLevel: 'error', server: { watch: null }, cacheDir: join(folder, '.vite') },
  );
  // It would end the process at once, with whatever the run has made still on the target.
  for (const signal of SIGNALS) {
    for (const listener of process.listeners(signal)) {
      if (!before.get(signal)?.includes(listener)) process.off(signal, listener);
    }
  }
  return vitest;
}

/** An interrupt is the command line's to handle. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

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

/** A file that defines checks. */
const SUITE_FILE = /\.suite\.[jt]s$/;

/** The files that vitest is given to run, which gather the checks of the others. */
const OWN_FILE = /\/lib\/(run|prove)\/[a-z]+\.suite\.[jt]s$/;

/** The path of one of our own modules, given without its extension and relative to the code's root. */
export function codeFile(path: string): string {
  const folder = codeRoot();
  return `${join(folder, path)}.${extension(folder)}`;
}

function extension(folder: string): 'ts' | 'js' {
  return folder.endsWith('dist') ? 'js' : 'ts';
}

/** This package's own entry points, by the names under which plugins import them. */
function aliases(): { find: RegExp; replacement: string }[] {
  return [
    { find: /^api-conformance$/, replacement: codeFile('lib/index') },
    { find: /^api-conformance\/suite$/, replacement: codeFile('lib/suite') },
  ];
}

/** Matches what is in a folder. */
function below(folder: string): RegExp {
  return new RegExp(`^(?:file://)?${folder.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}/`);
}

/** Files run in the order they were given: suites as chosen, the finish last. */
class InGivenOrder {
  sort<T>(files: T[]): T[] {
    return files;
  }
  shard<T>(files: T[]): T[] {
    return files;
  }
}
