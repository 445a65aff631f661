/** Which checks leave something undecided, where some failures are known. */
import type { CheckResult } from './results.ts';

/**
 * Returns whether a check leaves something undecided: it ended in an error, or what blocks it is no known
 * failure. Where the cause of a block is not named, a known failure may be it.
 * @param known the requirements whose failures are on the user's list
 */
export function isUndecided(
  { verdict, verdicts, blockedBy }: CheckResult,
  known: ReadonlySet<string>,
): boolean {
  const said = Object.entries(verdicts);
  if (verdict === 'errored' || said.some(([, each]) => each === 'errored')) return true;
  // A check that passed had nothing to look at for its other requirements.
  if (verdict === 'passed' || (verdict !== 'blocked' && !said.some(([, each]) => each === 'blocked')))
    return false;
  const failed = said.filter(([, each]) => each === 'failed').map(([id]) => id);
  const causes = blockedBy === undefined ? failed : [blockedBy];
  return known.size === 0 || !causes.every((id) => known.has(id));
}
