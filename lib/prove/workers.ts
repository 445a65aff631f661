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
 * Runs all cases. Each thread takes another case when it is done with one: every other thread from the end,
 * so that there are fewer services for which two threads prepare. Returns what went wrong outside of checks.
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
  const left = [...cases];
  const work = async (isFromEnd: boolean): Promise<void> => {
    const thread = openThread<ToCases, FromCases>('lib/prove/cases-thread', data);
    await new Promise<void>((resolve) => {
      thread.listen({
        message: (told) => {
          if ('outcome' in told) onCase(told.outcome);
          else if ('problem' in told) problems.push(told.problem);
          else {
            const next = isFromEnd ? left.pop() : left.shift();
            if (next) thread.post({ run: next });
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
  await Promise.all(Array.from({ length: Math.min(jobs, cases.length) }, (_, i) => work(i % 2 === 1)));
  return problems;
}
