/** Runs the cases of a proof in several threads. */
import { pluginRoots } from '../model/paths.ts';
import { suiteFiles } from '../run/suite-files.ts';
import { openThread } from '../run/thread.ts';
import type { CaseInput, FromCases, ProofData, ToCases } from './cases-thread.ts';
import type { CaseOutcome } from './model.ts';

/** Called with the outcome of each case as it ends. */
export type OnCase = (outcome: CaseOutcome) => void;

/** What all cases have in common. */
export interface CasesOptions extends Pick<ProofData, 'references' | 'lanes' | 'reached'> {
  /** Names of the suites that any of the cases needs. */
  suites: readonly string[];
  /** How many threads to use. */
  jobs: number;
}

/**
 * Runs all cases. Each thread takes the next case when it is
 * done with one. Returns what went wrong outside of checks.
 */
export async function runCases(
  cases: readonly CaseInput[],
  { suites, jobs, ...common }: CasesOptions,
  onCase: OnCase,
): Promise<string[]> {
  const found = suiteFiles();
  const files = Object.fromEntries(suites.map((suite) => [suite, found.get(suite) ?? []]));
  const data: ProofData = { files, plugins: [...pluginRoots()], ...common };
  const problems: string[] = [];
  const left = cases.values();
  const work = async (): Promise<void> => {
    const thread = openThread<ToCases, FromCases>('lib/prove/cases-thread', data);
    await new Promise<void>((resolve) => {
      thread.listen({
        message: (told) => {
          if ('outcome' in told) onCase(told.outcome);
          else if ('problem' in told) problems.push(told.problem);
          else {
            const { value } = left.next();
            if (value) thread.post({ run: value });
            else resolve();
          }
        },
        death: (reason) => {
          problems.push(`a thread of the proof ended before its cases (${reason})`);
          resolve();
        },
      });
    });
    await thread.close();
  };
  await Promise.all(Array.from({ length: Math.min(jobs, cases.length) }, work));
  return problems;
}
