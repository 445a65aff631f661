/**
 * Of an earlier outcome, finds out whether it still holds when only some checks have changed: it does if these say the
 * same as before, alone.
 */
import { isDeepStrictEqual } from 'node:util';
import type { DefinedCheck } from '../check/suite.ts';
import type { CaseOutcome, CheckOutcome } from './model.ts';

/** The checks that have to run again. */
export interface ChangedChecks {
  changed: DefinedCheck[];
  /** Checks that judge the answers that others get, and so those that the changed ones get. */
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
  const judges = rest.filter(({ faults }) => faults !== undefined);
  const [ids, others] = [changed, rest].map((checks) => new Set(checks.map(({ id }) => id)));
  return {
    changed,
    judges,
    sayTheSame: (now, before) =>
      // A check that is gone belongs to neither.
      areSame(
        parts(now, (check) => ids!.has(check)),
        parts(before, (check) => !others!.has(check)),
      ) && now.notable.every((each) => ids!.has(each.check) || isAmong(each, before.notable)),
  };
}

/** What an outcome says of some checks. */
interface Part {
  notable: CheckOutcome[];
  skipped: string[];
}

function parts({ notable, skipped }: CaseOutcome, isMeant: (check: string) => boolean): Part {
  return { notable: notable.filter(({ check }) => isMeant(check)), skipped: skipped.filter(isMeant) };
}

function areSame(now: Part, before: Part): boolean {
  if (now.notable.length !== before.notable.length) return false;
  // What blocks a check may be found among the others alone.
  const notable = now.notable.map((each, i) => {
    const blockedBy = each.blockedBy ?? before.notable[i]?.blockedBy;
    return { ...each, ...(blockedBy !== undefined && { blockedBy }) };
  });
  return isDeepStrictEqual({ notable, skipped: now.skipped }, before);
}

/** Whether a check said at least as much before: it judged more answers. */
function isAmong({ check, verdicts }: CheckOutcome, before: readonly CheckOutcome[]): boolean {
  const known = before.find((each) => each.check === check)?.verdicts ?? {};
  return Object.entries(verdicts).every(([id, verdict]) => known[id] === verdict);
}
