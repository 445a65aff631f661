/** What a run was asked to look at, as the catalogue has it: known before the first check. */
import type { RunOptions } from '../config/types.ts';
import { catalogueOf } from '../model/catalogue/registry.ts';
import { matches } from '../model/pattern.ts';
import type { RunReport } from '../model/results.ts';

/** Ids of the entries that the options choose and that can be tested. */
export function chosenEntries({ suites, grep }: Pick<RunOptions, 'suites' | 'grep'>): Set<string> {
  // `ADDR-LIST/first-page` chooses a case of an entry.
  const patterns = grep.map((pattern) => pattern.split('/')[0]!);
  return new Set(
    suites
      .flatMap((suite) => catalogueOf(suite).requirements)
      .filter(({ id, level }) => level !== 'untestable' && matches(id, patterns))
      .map(({ id }) => id),
  );
}

/**
 * Says of a report that its run was stopped before the end; what had no turn could have failed.
 * @param withoutTurn how many entries no check had looked at
 */
export function markInterrupted(report: RunReport, withoutTurn: number): void {
  report.interrupted = { withoutTurn };
  report.summary += `; interrupted: ${withoutTurn} ${withoutTurn === 1 ? 'entry' : 'entries'} of the catalogue had no turn`;
  if (report.exitCode === 0) report.exitCode = 3;
}
