/** The thread that runs checks: how it is opened, and prepared by who knows that a run comes. */
import type { ChecksData, FromChecks, ToChecks } from './checks-thread.ts';
import { openThread, prepareThread, type Thread } from './thread.ts';

const MODULE = 'lib/run/checks-thread';

/** What the thread makes and soon forgets: with twice as much it is no faster, and takes 30 MB more. */
const LIMITS = { maxYoungGenerationSizeMb: 24 };

export function openChecks(data: ChecksData): Thread<ToChecks, FromChecks> {
  return openThread(MODULE, data, LIMITS);
}

/**
 * Loads the checks while it is being found out what is to run.
 * @param suites those that will be run, as far as that is known; none: all
 */
export function prepareChecks(suites: readonly string[]): void {
  prepareThread(MODULE, suites, LIMITS);
}
