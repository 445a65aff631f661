/** Opens the thread that runs checks, or prepares it as soon as a command knows that a run will follow. */
import type { ChecksData, FromChecks, ToChecks } from './checks-thread.ts';
import { openThread, prepareThread, type Thread } from './thread.ts';

const MODULE = 'lib/run/checks-thread';

/**
 * Bounds what the thread allocates and soon drops: with twice as much it is no faster, and takes 30 MB more.
 */
const LIMITS = { maxYoungGenerationSizeMb: 24 };

export function openChecks(data: ChecksData): Thread<ToChecks, FromChecks> {
  return openThread(MODULE, data, LIMITS);
}

/**
 * Loads the checks in the thread while the command still finds out what is to run.
 * @param suites names of the suites that will run, as far as that is known; empty for all
 */
export function prepareChecks(suites: readonly string[]): void {
  prepareThread(MODULE, suites, LIMITS);
}
