/** Which entries of the catalogue a run was asked to test, known before the first check runs. */
import type { RunOptions } from '../config/types.ts';
import { catalogueOf } from '../model/catalogue/registry.ts';
import { matches } from '../model/pattern.ts';
import type { RunReport } from '../model/results.ts';

/** Returns the ids of the entries that the options choose and that can be tested. */
export function chosenEntries({ suites, grep }: Pick<RunOptions, 'suites' | 'grep'>): Set<string> {
  // `ADDR-LIST/first-page` chooses one case of the entry `ADDR-LIST`.
  const patterns = grep.map((pattern) => pattern.split('/')[0]!);
  return new Set(
    suites
      .flatMap((suite) => catalogueOf(suite).requirements)
      .filter(({ id, level }) => level !== 'untestable' && matches(id, patterns))
      .map(({ id }) => id),
  );
}

/**
 * Returns whether a run was asked to run a check. `--grep` may match its id or any requirement that it cites,
 * since `list` and `explain` show both.
 */
export function isChosen(
  { id, requirements }: { id: string; requirements: readonly string[] },
  { chosen, grep }: { chosen?: readonly string[] | undefined; grep: readonly string[] },
): boolean {
  return (chosen?.includes(id) ?? true) && [id, ...requirements].some((name) => matches(name, grep));
}

/**
 * Marks a report as that of a run that was stopped before its end, and takes back exit status 0: a check that
 * did not run could have failed.
 * @param withoutTurn how many entries of the catalogue no check has looked at
 */
export function markInterrupted(report: RunReport, withoutTurn: number): void {
  report.interrupted = { withoutTurn };
  report.summary += `; interrupted: ${withoutTurn} ${withoutTurn === 1 ? 'entry' : 'entries'} of the catalogue had no turn`;
  if (report.exitCode === 0) report.exitCode = 3;
}
