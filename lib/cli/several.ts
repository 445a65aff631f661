/** `conform run` over several targets: one after the other, with a page that shows them side by side. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../model/usage-error.ts';
import { matrix } from '../report/html/matrix.ts';
import { inert } from '../report/terminal-safe.ts';
import { readReport } from './report-file.ts';

/**
 * Runs each target; its reports go to the folder `out/<target>`.
 * @param runOne runs one and gives its exit status
 * @returns the exit status of all: 1 where one is not conformant, else 2 where one could not be run, else 3 where one
 *   is undecided
 */
export async function runSeveral(
  targets: readonly string[],
  out: string,
  runOne: (target: string, out: string) => Promise<number>,
): Promise<number> {
  const statuses: number[] = [];
  const folders: string[] = [];
  for (const target of targets) {
    const folder = join(out, target);
    try {
      statuses.push(await runOne(target, folder));
      folders.push(folder);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      // The others can still be run.
      process.stderr.write(`conform: ${inert(error.message)}\n`);
      statuses.push(2);
    }
  }
  const reports = folders.filter((folder) => existsSync(join(folder, 'report.json'))).map(readReport);
  if (reports.length > 0) {
    const page = join(out, 'index.html');
    writeFileSync(page, matrix(reports));
    process.stdout.write(`side by side  ${page}\n`);
  }
  return [1, 2, 3].find((status) => statuses.includes(status)) ?? 0;
}
