/** The checks of a suite file, in the worker of a run. */
import { type DefinedCheck, gatherChecks } from '../check/suite.ts';

const known = new Map<string, DefinedCheck[]>();

/**
 * The checks that a file defines. A worker may run the suites several times, and Node evaluates a module once.
 * @param load imports the file
 */
export async function checksIn(file: string, load: () => Promise<unknown>): Promise<DefinedCheck[]> {
  const checks = await gatherChecks(async () => {
    await load();
  });
  if (checks.length > 0) known.set(file, checks);
  return known.get(file) ?? [];
}
