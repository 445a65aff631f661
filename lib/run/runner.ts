/**
 * Runs the suites through vitest's node API: one instance, re-run for as many targets as needed.
 * Results arrive one by one as checks end.
 */
import type { Vitest } from 'vitest/node';
import type { RunInput } from '../check/session.ts';
import { pluginRoots } from '../model/paths.ts';
import { Collector, type OnResult, type RunOutcome } from './collector.ts';
import { codeFile, openVitest, suiteFiles } from './vitest.ts';

/** A vitest instance that is ready to run suites. Close it when done. */
export class Runner {
  readonly #vitest: Vitest;
  readonly #collector: Collector;
  readonly #files = suiteFiles();

  private constructor(vitest: Vitest, collector: Collector) {
    this.#vitest = vitest;
    this.#collector = collector;
  }

  /** Starts vitest; the suites are taken from where this code runs (sources or build). */
  static async open(): Promise<Runner> {
    const collector = new Collector();
    return new Runner(await openVitest(collector), collector);
  }

  /**
   * Runs the suites of `input.options.suites` against `input.target`.
   * Never throws for what the target does; `problems` tells of mistakes in the suites.
   */
  async run(input: RunInput, onResult: OnResult = () => {}): Promise<RunOutcome> {
    const files = input.options.suites.flatMap((suite) => this.#files.get(suite) ?? []);
    const plugins = pluginRoots();
    this.#vitest.provide('conform', { ...input, plugins: [...plugins] });
    this.#vitest.provide('suiteFiles', files);
    this.#collector.start(onResult);
    const project = this.#vitest.getRootProject();
    const begin = plugins.length > 0 ? [codeFile('lib/run/begin.suite')] : [];
    // The last file of every run ends the session in the worker.
    const specs = [...begin, codeFile('lib/run/checks.suite'), codeFile('lib/run/finish.suite')].map((file) =>
      project.createSpecification(file),
    );
    try {
      const { unhandledErrors } = await this.#vitest.runTestSpecifications(specs, true);
      return this.#collector.end(unhandledErrors);
    } catch (error) {
      // Whatever happens to the runner, what has been found is reported and what was made is undone.
      return this.#collector.end([error]);
    }
  }

  /** Stops the run that is under way; checks that have not begun do not run. */
  async cancel(): Promise<void> {
    this.#collector.cancel();
    await this.#vitest.cancelCurrentRun('keyboard-input');
  }

  async close(): Promise<void> {
    await this.#vitest.close();
  }
}
