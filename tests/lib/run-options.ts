import type { RunOptions } from '../../lib/config/types.ts';

/** Options of a run that may do everything and waits for nothing. */
export function runOptions(suites: string[], more: Partial<RunOptions> = {}): RunOptions {
  return {
    suites,
    grep: [],
    effects: ['read', 'write', 'settings'],
    maxWaitMs: 0,
    timeoutMs: 5_000,
    seed: 1,
    strict: false,
    ...more,
  };
}
