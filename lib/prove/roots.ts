/**
 * Finds blocked checks whose cause cannot be found. Such a check names a fault that the report does not show;
 * and where nothing failed at all, a broken server ends as undecided.
 */
import { Roots } from '../run/roots.ts';
import type { CaseOutcome, Finding, ProofCase } from './model.ts';

/**
 * Returns a finding for each check that is blocked without a root: by a requirement that neither failed nor
 * waits for one that did, or by anything where nothing failed.
 * @param isKnown returns whether a requirement belongs to the suites that ran; of others nothing can be said
 */
export function rootless(
  facts: ProofCase,
  { notable }: CaseOutcome,
  isKnown: (id: string) => boolean,
): Finding[] {
  const roots = new Roots(notable);
  // What other suites say of such a case is not known here, so something may have failed in them.
  const failed = notable.some(({ verdict }) => verdict === 'failed') || !facts.breaks.every(isKnown);
  const why = (by: string | undefined): string | undefined => {
    if (by !== undefined && !isKnown(by)) return undefined;
    if (by !== undefined && !roots.explains(by))
      return `blocked by ${by}, which neither failed nor waits for what failed`;
    return failed ? undefined : 'blocked, and nothing failed';
  };
  return notable.flatMap(({ check, verdict, blockedBy, reason }): Finding[] => {
    const message = verdict === 'blocked' ? why(blockedBy) : undefined;
    return message === undefined
      ? []
      : [{ kind: 'rootless', case: facts.id, check, message: `${message}: ${reason}` }];
  });
}

/**
 * Whether a requirement that was not seen to fail waits for one that did, or could not be decided. A
 * requirement that is blocked without a named cause counts as waiting if anything failed.
 */
export function isHidden(id: string, { notable }: CaseOutcome): boolean {
  if (new Roots(notable).explains(id)) return true;
  const failed = notable.some(({ verdict }) => verdict === 'failed');
  return failed && notable.some((each) => each.verdicts[id] === 'blocked' && each.blockedBy === undefined);
}
