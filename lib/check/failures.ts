import type { CheckResult } from '../model/results.ts';

/** Returns the requirements that a check found violated, advised ones included. */
export function failuresOf({ verdicts }: CheckResult): string[] {
  return Object.keys(verdicts).filter((id) => verdicts[id] === 'failed' || verdicts[id] === 'warned');
}
