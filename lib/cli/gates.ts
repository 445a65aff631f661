/** The flags that make `conform run` a gate of a pipeline: baseline, coverage, last failures. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { requireInside } from '../config/trust.ts';
import type { RunConfig } from '../config/types.ts';
import { allCatalogues } from '../model/catalogue/registry.ts';
import type { Verdict } from '../model/results.ts';
import { UsageError } from '../model/usage-error.ts';
import { type BaselineEntry, readBaseline } from '../run/baseline.ts';
import { type Gates, minExercisedOf } from '../run/gates.ts';
import type { ConfiguredTarget } from './configuration.ts';
import { readReport } from './report-file.ts';

/** The flags that these functions read. */
export interface GateFlags {
  knownFailures?: string;
  strictBaseline?: boolean;
  minExercised?: string;
  require?: string[];
}

/** Returns the baseline that the flags or the configuration name; undefined without one. */
export function baselineOf(
  flags: GateFlags,
  { run, source, at }: ConfiguredTarget,
): BaselineEntry[] | undefined {
  const file = flags.knownFailures ?? run.knownFailures;
  if (file === undefined) return undefined;
  if (flags.knownFailures === undefined) requireInside(source, file, at('knownFailures'));
  // The ids of all suites are accepted, since one baseline may serve several runs.
  const ids = [...allCatalogues().values()].flatMap((c) => c.requirements.map((r) => r.id));
  return readBaseline(file, ids);
}

/**
 * Returns what the run has to show besides conformance. In CI,
 * an outdated baseline fails it unless the user says otherwise.
 */
export function gatesOf(flags: GateFlags, run: RunConfig): Gates {
  const least = flags.minExercised ?? (run.minExercised === undefined ? undefined : String(run.minExercised));
  return {
    strictBaseline: flags.strictBaseline ?? run.strictBaseline ?? isCi(),
    require: flags.require ?? (run.require as string[] | undefined) ?? [],
    ...(least !== undefined && { minExercised: minExercisedOf(least) }),
  };
}

/** CI systems set this variable. */
function isCi(): boolean {
  return !['', '0', 'false'].includes(process.env.CI ?? '');
}

const WORTH_ANOTHER_RUN: readonly Verdict[] = ['failed', 'blocked', 'errored'];

/** What begins the ids of entries of a report that are no checks, and cannot be chosen. */
const NO_CHECK = /^(PREFLIGHT|SUITE-PROBLEM)\//;

/**
 * Returns the ids of the checks that failed or were undecided in the last run: none, for all of them, where
 * its preflight stopped it.
 * @param out the folder of its reports
 * @throws UsageError where there is no report or it cannot be read, or nothing failed in it
 */
export function lastFailed(out: string): string[] {
  const file = join(out, 'report.json');
  if (!existsSync(file)) throw new UsageError(`--last-failed: ${file}: there is no report of an earlier run`);
  const { checks } = readReport(file);
  const ids = checks.filter(({ verdict }) => WORTH_ANOTHER_RUN.includes(verdict)).map(({ id }) => id);
  if (ids.length === 0) throw new UsageError('--last-failed: nothing failed in the last run');
  return ids.filter((id) => !NO_CHECK.test(id));
}
