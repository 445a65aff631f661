/** A run, for programs. `conform run` is built on it; it uses no terminal. */
import type { ResolvedTarget } from '../config/types.ts';
import type { RunReport } from '../model/results.ts';
import type { RunSettings } from './settings.ts';

/**
 * Runs suites against a target.
 * @returns the report, with the secrets of the target taken out
 * @throws UsageError for a suite that the target has no service for, and where the folder for reports cannot be
 *   written to; ReportsNotWritten, which has the report, where single reports cannot
 */
export async function run(target: ResolvedTarget, settings: RunSettings = {}): Promise<RunReport> {
  // Loaded only here, because the suite files of a plugin
  // import this module in the thread of the checks, too.
  const { performRun } = await import('./perform-run.ts');
  return performRun(target, settings);
}
