/**
 * Of an earlier outcome, finds out whether it still holds when only some checks have changed: it does if these say the
 * same as before, alone.
 */
import { isDeepStrictEqual } from 'node:util';
import type { DefinedCheck } from '../check/suite.ts';
import { withoutData } from '../report/diagnosis/evidence.ts';
import { violated } from './findings.ts';
import type { CaseOutcome, CheckOutcome } from './model.ts';

/** The checks that have to run again. */
export interface ChangedChecks {
  changed: DefinedCheck[];
  /** Checks that judge the answers that others get, or look back at them, and so at those that the changed ones get. */
  judges: DefinedCheck[];
  /** Whether these checks say, in `now`, what those that have changed said in the outcome of all. */
  sayTheSame(now: CaseOutcome, before: CaseOutcome): boolean;
}

/**
 * Returns which checks have to run again; undefined where that has to be all of them, since one that looks back at a
 * whole run has changed.
 * @param all the checks of a case
 * @param files the source files that have changed
 */
export function changedChecks(
  all: readonly DefinedCheck[],
  files: readonly string[],
): ChangedChecks | undefined {
  const isChanged = ({ source }: DefinedCheck) => source !== undefined && files.includes(source.file);
  const changed = all.filter(isChanged);
  if (changed.some(({ looksBack }) => looksBack)) return undefined;
  const rest = all.filter((check) => !isChanged(check));
  const judges = rest.filter(({ faults, looksBack }) => faults !== undefined || looksBack);
  const [ids, others] = [changed, rest].map((checks) => new Set(checks.map(({ id }) => id)));
  return {
    changed,
    judges,
    sayTheSame: (now, before) =>
      // A check that is gone belongs to neither.
      isDeepStrictEqual(
        saying(now, (check) => ids!.has(check)),
        saying(before, (check) => !others!.has(check)),
      ) && now.notable.every((each) => ids!.has(each.check) || isNoNews(each, before)),
  };
}

/**
 * Returns what an outcome says of some checks, without test data. What blocks a check is left out, since it may be found
 * among the others alone.
 */
function saying({ notable, skipped }: CaseOutcome, isMeant: (check: string) => boolean): unknown {
  const said = notable
    .filter(({ check }) => isMeant(check))
    .map(({ check, verdicts, evidence, reason }) => [check, verdicts, evidence ?? withoutData(reason)]);
  return [said, skipped.filter(isMeant)];
}

/** Whether a check that judges the answers of others finds only what was found before, by whichever check. */
function isNoNews({ verdicts }: CheckOutcome, before: CaseOutcome): boolean {
  return Object.entries(verdicts).every(
    ([id, verdict]) => (verdict !== 'failed' && verdict !== 'warned') || violated(before).has(id),
  );
}
