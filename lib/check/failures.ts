import type { CheckResult } from '../model/results.ts';

/** The requirements that a check says are violated, advised ones included. */
export function failuresOf({ verdicts }: CheckResult): string[] {
  return Object.keys(verdicts).filter((id) => verdicts[id] === 'failed' || verdicts[id] === 'warned');
}
