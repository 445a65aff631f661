import type { CheckResult, Verdict } from '../model/results.ts';

/** Returns the requirements that a check found violated, advised ones included. */
export function failuresOf({ verdicts }: CheckResult): string[] {
  return Object.keys(verdicts).filter((id) => verdicts[id] === 'failed' || verdicts[id] === 'warned');
}

/**
 * Returns a result that decides nothing: these verdicts become `errored`, and what was found is dropped.
 * @param reason why, before the reason that the result had
 */
export function withdrawn(
  result: CheckResult,
  reason: string,
  verdicts: readonly Verdict[] = ['failed', 'warned'],
): CheckResult {
  const left = Object.entries(result.verdicts).map(([id, verdict]) => [
    id,
    verdicts.includes(verdict) ? 'errored' : verdict,
  ]);
  return {
    ...result,
    verdict: 'errored',
    verdicts: Object.fromEntries(left) as CheckResult['verdicts'],
    findings: [],
    reason: `${reason}\n${result.reason ?? ''}`,
  };
}
