/** `conform compare`: what differs between two runs, or, on a page, between several. */
import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import pc from 'picocolors';
import { type Change, type Comparison, compare } from '../report/compare.ts';
import { matrix } from '../report/html/matrix.ts';
import { inert } from '../report/terminal-safe.ts';
import { readReport } from './report-file.ts';

export function compareCommand(): Command {
  return new Command('compare')
    .argument('<reports...>', 'report.json files, or the folders they are in; the older one first')
    .option('--html <file>', 'write a page with a row a requirement and a column a run')
    .option('--json', 'as JSON')
    .action((paths: string[], flags: { html?: string; json?: boolean }) => {
      const reports = paths.map(readReport);
      if (flags.html !== undefined) writeFileSync(flags.html, matrix(reports));
      const [before, after] = reports;
      if (reports.length !== 2 || !before || !after) return;
      const comparison = compare(before, after);
      process.stdout.write(
        flags.json ? `${JSON.stringify(comparison, undefined, 2)}\n` : inWords(comparison),
      );
      process.exitCode = comparison.broke.length > 0 ? 1 : 0;
    });
}

/** Returns the comparison as lines for a terminal. */
function inWords(comparison: Comparison): string {
  const {
    broke,
    fixed,
    newlyExercised,
    noLongerExercised,
    answeredDifferently,
    changed,
    catalogues,
    added,
    removed,
    onlyBefore,
    onlyAfter,
  } = comparison;
  const lines = [
    ...group(pc.red('broke'), broke),
    ...group(pc.green('fixed'), fixed),
    ...group('newly exercised', newlyExercised, MOST),
    ...group(pc.yellow('no longer exercised'), noLongerExercised, MOST),
    ...answeredDifferently.map(
      ({ id, before, after }) =>
        `${pc.cyan('answered differently')}  ${id}\n    was ${inert(before.join('; '))}\n    is  ${inert(after.join('; '))}`,
    ),
    ...catalogues.map(
      ({ suite, before, after }) => `catalogue  ${suite}  was ${inert(before)}, is ${inert(after)}`,
    ),
    ...changed.map(
      ({ id, before, after }) =>
        `${pc.yellow('demands something else')}  ${id}\n    was ${inert(before)}\n    is  ${inert(after)}`,
    ),
    ...(added.length > 0 ? [`new in the catalogue  ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`gone from the catalogue  ${removed.join(', ')}`] : []),
    ...(onlyBefore.length > 0 ? [`not compared, in the earlier run only  ${onlyBefore.join(', ')}`] : []),
    ...(onlyAfter.length > 0 ? [`not compared, in the later run only  ${onlyAfter.join(', ')}`] : []),
  ];
  return lines.length > 0 ? `${lines.join('\n')}\n` : 'no difference\n';
}

/** How many changes of one kind are printed: a setting that was added or removed changes hundreds. */
const MOST = 20;

function group(label: string, changes: readonly Change[], most = changes.length): string[] {
  const lines = changes
    .slice(0, most)
    .map(({ id, title, before }) => `${label}  ${id}  ${inert(title)} ${pc.dim(`(was ${before})`)}`);
  const more = changes.length - lines.length;
  return more > 0 ? [...lines, `${label}  ${more} more; --json has all`] : lines;
}
