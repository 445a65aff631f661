/** `conform run` against several targets, one after the other, with a page that shows them side by side. */
import { existsSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { UsageError } from '../model/usage-error.ts';
import { matrix } from '../report/html/matrix.ts';
import { inert } from '../report/terminal-safe.ts';
import { headline } from '../report/words.ts';
import { readReport } from './report-file.ts';

/**
 * Runs each target, and writes its reports to the folder `out/<target>`.
 * @param runOne runs one target and returns its exit status
 * @param isDry whether nothing is run, so that there are no reports to show
 * @returns the exit status of all: 1 where one is not conformant, else 2 where one could not be run, else 3
 *   where one is undecided
 */
export async function runSeveral(
  targets: readonly string[],
  out: string,
  runOne: (target: string, out: string) => Promise<number>,
  isDry = false,
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
      // A mistake in the configuration of one target does not keep the others from being run.
      process.stderr.write(`conform: ${inert(error.message)}\n`);
      statuses.push(2);
    }
  }
  const written = folders.filter((folder) => !isDry && existsSync(join(folder, 'report.json')));
  if (written.length > 0) {
    const reports = written.map(readReport);
    const page = join(out, 'index.html');
    const links = written.map(
      (folder) => `${relative(out, folder).split(sep).map(encodeURIComponent).join('/')}/index.html`,
    );
    writeFileSync(page, matrix(reports, links));
    const width = Math.max(...reports.map(({ target }) => target.name.length));
    const lines = reports.map(
      (report) => `  ${report.target.name.padEnd(width)}  ${headline(report)}: ${report.summary}\n`,
    );
    process.stdout.write(`\n${inert(lines.join(''))}side by side  ${page}\n`);
  }
  return [1, 2, 3].find((status) => statuses.includes(status)) ?? 0;
}
