/**
 * Runs the suites through vitest's node API: one instance, re-run for as many targets as needed.
 * Results arrive one by one as checks end.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest, type Vitest } from 'vitest/node';
import type { RunInput } from '../check/session.ts';
import { codeRoot } from '../paths.ts';
import { Collector, type OnResult, type RunOutcome } from './collector.ts';

/** A vitest instance that is ready to run suites. Close it when done. */
export class Runner {
  readonly #vitest: Vitest;
  readonly #collector: Collector;
  readonly #folder: string;
  readonly #files: Map<string, string[]>;

  private constructor(vitest: Vitest, collector: Collector, folder: string) {
    this.#vitest = vitest;
    this.#collector = collector;
    this.#folder = folder;
    this.#files = suiteFiles(folder);
  }

  /** Starts vitest; the suites are taken from where this code runs (sources or build). */
  static async open(): Promise<Runner> {
    const folder = codeRoot();
    const collector = new Collector();
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
        sequence: { sequencer: InGivenOrder },
        reporters: [collector],
        server: { deps: { inline: [/\.suite\.[jt]s$/] } },
        // An interrupt is the command line's to handle: it cleans up first.
        teardownTimeout: 1_000,
        cache: false,
        api: false,
      } as never,
      { clearScreen: false, logLevel: 'error', server: { watch: null }, cacheDir: join(folder, '.vite') },
    );
    return new Runner(vitest, collector, folder);
  }

  /**
   * Runs the suites of `input.options.suites` against `input.target`.
   * Never throws for what the target does; `problems` tells of mistakes in the suites.
   */
  async run(input: RunInput, onResult: OnResult = () => {}): Promise<RunOutcome> {
    const files = input.options.suites.flatMap((suite) => this.#files.get(suite) ?? []);
    this.#vitest.provide('conform', input);
    this.#collector.start(onResult);
    const project = this.#vitest.getRootProject();
    const specs = [...files, finishFile(this.#folder)].map((file) => project.createSpecification(file));
    const { unhandledErrors } = await this.#vitest.runTestSpecifications(specs, true);
    return this.#collector.end(unhandledErrors);
  }

  /** Stops the run that is under way; checks that have not begun do not run. */
  async cancel(): Promise<void> {
    await this.#vitest.cancelCurrentRun('keyboard-input');
  }

  async close(): Promise<void> {
    await this.#vitest.close();
  }
}

/** Suite files by suite, in the order of their names. */
function suiteFiles(folder: string): Map<string, string[]> {
  const suites = join(folder, 'suites');
  const files = new Map<string, string[]>();
  for (const entry of readdirSync(suites, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const names = readdirSync(join(suites, entry.name)).filter((name) => /\.suite\.[jt]s$/.test(name)).sort();
    if (names.length > 0) files.set(entry.name, names.map((name) => join(suites, entry.name, name)));
  }
  return files;
}

/** The last file of every run: ends the session in the worker. */
function finishFile(folder: string): string {
  return join(folder, 'lib', 'run', `finish.suite.${extension(folder)}`);
}

function extension(folder: string): 'ts' | 'js' {
  return folder.endsWith('dist') ? 'js' : 'ts';
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
