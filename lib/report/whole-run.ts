/** What a run says that no check of it says: for formats whose readers look at checks alone. */
import type { RunReport } from '../model/results.ts';
import { headline, isKnown, notesOf } from './words.ts';

/** A run as a whole that is not fine, although none of its checks shows it. */
export interface WholeRun {
  /** `failed` for exit status 1, `errored` for 3. */
  verdict: 'failed' | 'errored';
  /** One line, for example "Interrupted: 3 of 9 requirements exercised, ...". */
  message: string;
  /** The same with every reason, a line each. */
  text: string;
}

/** The name of the suite, and of its only check, that stand for the run. */
export const WHOLE_RUN = 'run';

/**
 * Returns what makes the exit status other than 0 where no check is failed or undecided: a run that was
 * interrupted, exercised nothing, left something behind, or does not meet a condition such as
 * `--min-exercised`. `undefined` where a check shows it, or all is fine.
 */
export function wholeRun(report: RunReport): WholeRun | undefined {
  if (report.exitCode === 0) return undefined;
  const isShown = report.checks.some(
    (check) => ['failed', 'blocked', 'errored'].includes(check.verdict) && !isKnown(report, check),
  );
  if (isShown) return undefined;
  const message = `${headline(report)}: ${report.summary}`;
  return {
    verdict: report.exitCode === 1 ? 'failed' : 'errored',
    message,
    text: [message, ...notesOf(report), ...(report.leftovers ?? [])].join('\n'),
  };
}
