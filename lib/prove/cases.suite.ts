/**
 * Not a suite: the file of a proof run. Loads the suites once and runs their checks in a fresh session for
 * every case; a case is a test, and what came of it travels in `task.meta.proof`. A run for each case would
 * start a thread and load everything anew, which takes longer than the checks.
 */
import { inject, test } from 'vitest';
import type { RunInput } from '../check/session.ts';
import { type DefinedCheck, gatherChecks } from '../check/suite.ts';
import type { CaseOutcome } from './model.ts';
import { runCase } from './run-case.ts';

/** One case, ready to be run. */
export interface CaseInput extends Omit<RunInput, 'runId'> {
  id: string;
  /** Whether its outcome names the requirements that passed. */
  keepPassed: boolean;
}

/** What a proof run is given. */
export interface ProofInput {
  /** Files of the suites, by suite, in the order in which they run. */
  files: Record<string, string[]>;
  cases: CaseInput[];
}

declare module 'vitest' {
  interface ProvidedContext {
    proof: ProofInput;
  }
  interface TaskMeta {
    proof?: CaseOutcome;
  }
}

const { files, cases } = inject('proof');
// Every refusal is an error, thrown and caught thousands of times; nobody looks at where.
Error.stackTraceLimit = 0;
const checks = new Map<string, DefinedCheck[]>();
for (const [suite, paths] of Object.entries(files)) {
  const gathered = await gatherChecks(async () => {
    for (const path of paths) await import(/* @vite-ignore */ path);
  });
  checks.set(suite, gathered);
}

for (const { id, keepPassed, ...input } of cases) {
  test(id, { timeout: 600_000 }, async ({ task }) => {
    const own = input.options.suites.flatMap((suite) => checks.get(suite) ?? []);
    task.meta.proof = await runCase(id, own, input, keepPassed);
  });
}
