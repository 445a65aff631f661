/** Runs the cases of a proof in several threads. */
import { pluginRoots } from '../model/paths.ts';
import { suiteFiles } from '../run/suite-files.ts';
import { openThread, type Thread } from '../run/thread.ts';
import type { CaseInput, FromCases, ProofData, ToCases } from './cases-thread.ts';
import type { CaseOutcome } from './model.ts';

/** Called with the outcome of each case as it ends, and whether it is an earlier one that holds (see `Judged`). */
export type OnCase = (outcome: CaseOutcome, held: boolean) => void;

/** What all cases have in common. */
export interface CasesOptions extends Pick<ProofData, 'references' | 'lanes' | 'reached'> {
  /** Names of the suites that any of the cases needs. */
  suites: readonly string[];
  /** How many threads to use. */
  jobs: number;
}

/** How long a case may take, in milliseconds; the longest take some seconds. */
const LIMIT_MS = 10 * 60_000;

/**
 * Runs all cases. Each thread takes another case when it is done with one: every other thread from the end,
 * so that there are fewer services for which two threads prepare. Returns what went wrong outside of checks.
 * A thread that takes too long for a case is ended, and another one does the rest.
 * @param open opens the threads
 */
export async function runCases(
  cases: readonly CaseInput[],
  { suites, jobs, ...common }: CasesOptions,
  onCase: OnCase,
  open: typeof openThread<ToCases, FromCases> = openThread,
): Promise<string[]> {
  const found = suiteFiles();
  const files = Object.fromEntries(suites.map((suite) => [suite, found.get(suite) ?? []]));
  const data: ProofData = { files, plugins: [...pluginRoots()], ...common };
  const problems: string[] = [];
  const left = [...cases];
  const work = async (isFromEnd: boolean): Promise<void> => {
    const take = () => (isFromEnd ? left.pop() : left.shift());
    const thread = open('lib/prove/cases-thread', data);
    const end = await workIn(thread, take, { onCase, problems });
    await thread.close();
    if (end === 'too late') await work(isFromEnd);
  };
  await Promise.all(Array.from({ length: Math.min(jobs, cases.length) }, (_, i) => work(i % 2 === 1)));
  return problems;
}

/** Runs cases in a thread until `take` gives none, a case takes too long, or the thread dies. */
async function workIn(
  thread: Thread<ToCases, FromCases>,
  take: () => CaseInput | undefined,
  { onCase, problems }: { onCase: OnCase; problems: string[] },
): Promise<'done' | 'too late' | 'dead'> {
  let timer: NodeJS.Timeout | undefined;
  const end = await new Promise<'done' | 'too late' | 'dead'>((resolve) => {
    const run = (next: CaseInput): void => {
      timer = setTimeout(() => {
        problems.push(`${next.facts.id}: did not end within ${LIMIT_MS / 60_000} minutes`);
        resolve('too late');
      }, LIMIT_MS);
      thread.post({ run: next });
    };
    thread.listen({
      message: (told) => {
        if ('outcome' in told) return onCase(told.outcome, told.held);
        if ('problem' in told) return void problems.push(told.problem);
        clearTimeout(timer);
        const next = take();
        if (next) run(next);
        else resolve('done');
      },
      death: (reason) => {
        problems.push(`a thread of the proof ended before its cases (${reason})`);
        resolve('dead');
      },
    });
  });
  clearTimeout(timer);
  return end;
}
