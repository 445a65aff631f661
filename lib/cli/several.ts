/** `conform run` against several targets, one after the other, with a page that shows them side by side. */
import { statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { UsageError } from '../model/usage-error.ts';
import { matrix } from '../report/html/matrix.ts';
import { whyUnwritten } from '../report/output-folder.ts';
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
  // File systems may keep times to the second only.
  const begun = Math.floor(Date.now() / 1000) * 1000;
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
  const status = [1, 2, 3].find((each) => statuses.includes(each)) ?? 0;
  if (isDry) return status;
  // A report that is older is that of an earlier run: this one could not be written.
  const written = folders.filter((folder) => isFrom(join(folder, 'report.json'), begun));
  return written.length === 0 || showSideBySide(out, written) ? status : status || 3;
}

/** Whether a file is there that was written at a time or later. */
function isFrom(file: string, time: number): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= time;
}

/**
 * Prints the verdicts of all targets, and writes the page that shows them side by side.
 * @returns whether it could be written
 */
function showSideBySide(out: string, folders: readonly string[]): boolean {
  const reports = folders.map(readReport);
  const page = join(out, 'index.html');
  const links = folders.map(
    (folder) => `${relative(out, folder).split(sep).map(encodeURIComponent).join('/')}/index.html`,
  );
  const width = Math.max(...reports.map(({ target }) => target.name.length));
  const lines = reports.map(
    (report) => `  ${report.target.name.padEnd(width)}  ${headline(report)}: ${report.summary}\n`,
  );
  process.stdout.write(`\n${inert(lines.join(''))}`);
  try {
    writeFileSync(page, matrix(reports, links));
  } catch (error) {
    process.stdout.write(`not written  ${page}: ${whyUnwritten(error)}\n`);
    return false;
  }
  process.stdout.write(`side by side  ${page}\n`);
  return true;
}
