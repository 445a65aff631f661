/** Several vitest instances in this process, each with a worker thread, that share the cases. */
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';
import { pluginRoots } from '../model/paths.ts';
import type { LaneOptions } from '../run/lanes.ts';
import { codeFile, openVitest, suiteFiles } from '../run/vitest.ts';
import type { CaseInput, ProofInput } from './cases.suite.ts';
import type { CaseOutcome } from './model.ts';

/** Told about each case as it ends. */
export type OnCase = (outcome: CaseOutcome) => void;

/** Gathers what cases leave in `task.meta`. */
class CaseCollector implements Reporter {
  readonly problems: string[] = [];
  readonly #onCase: OnCase;

  constructor(onCase: OnCase) {
    this.#onCase = onCase;
  }

  onTestCaseResult(testCase: TestCase): void {
    const { proof } = testCase.meta() as { proof?: CaseOutcome };
    if (proof) this.#onCase(proof);
    else {
      const messages = (testCase.result().errors ?? []).map((error) => error.message);
      this.problems.push(`${testCase.name}: ${messages.join('; ') || 'ended without an outcome'}`);
    }
  }

  onTestModuleEnd(module: TestModule): void {
    for (const error of module.errors()) this.problems.push(error.message);
  }
}

/**
 * Runs all cases; gives what went wrong outside of checks.
 * @param references the reference itself, for each service
 * @param jobs worker threads to use
 * @param lanes how the checks of a case follow one another
 * @param reached whether only the checks run that get other answers than from the reference
 * @param suites names of the suites that any of the cases runs
 */
export async function runCases(
  cases: readonly CaseInput[],
  references: ProofInput['references'],
  suites: readonly string[],
  jobs: number,
  lanes: LaneOptions,
  reached: boolean,
  onCase: OnCase,
): Promise<string[]> {
  const found = suiteFiles();
  const files = Object.fromEntries(suites.map((suite) => [suite, found.get(suite) ?? []]));
  const run = async (own: CaseInput[]): Promise<string[]> => {
    const collector = new CaseCollector(onCase);
    const vitest = await openVitest(collector);
    try {
      vitest.provide('proof', { files, cases: own, plugins: [...pluginRoots()], references, lanes, reached });
      const spec = vitest.getRootProject().createSpecification(codeFile('lib/prove/cases.suite'));
      const { unhandledErrors } = await vitest.runTestSpecifications([spec], true);
      const unhandled = unhandledErrors.map(
        (e) => `unhandled: ${(e as SerializedError).message ?? String(e)}`,
      );
      return [...collector.problems, ...unhandled];
    } finally {
      await vitest.close();
    }
  };
  // Dealt out in turns: neighbours take about equally long.
  const hands = Array.from({ length: Math.min(jobs, cases.length) }, (_, hand) =>
    cases.filter((_, i) => i % jobs === hand),
  );
  return (await Promise.all(hands.map(run))).flat();
}
