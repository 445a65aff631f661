/** A run from code: what `conform run` is built on, without a terminal. */
import type { ResolvedTarget } from '../config/types.ts';
import type { RunReport } from '../model/results.ts';
import type { RunSettings } from './settings.ts';

/**
 * Runs suites against a target.
 * @returns the report, with the secrets of the target taken out
 * @throws UsageError for a suite that the target has no service for, and where reports cannot be written
 */
export async function run(target: ResolvedTarget, settings: RunSettings = {}): Promise<RunReport> {
  // Loaded only here: a plugin's suite files import this module in the worker too.
  const { performRun } = await import('./perform-run.ts');
  return performRun(target, settings);
}
