/** `conform run`: its flags, and how they become settings of `run`. */
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { run } from '../api/run.ts';
import { suggestion } from '../config/nearest.ts';
import { type RunFlags, requireValidFlags, resolveOptions } from '../config/options.ts';
import { requireInside, requireTrust } from '../config/trust.ts';
import { allCatalogues } from '../model/catalogue/registry.ts';
import { matches } from '../model/pattern.ts';
import { UsageError } from '../model/usage-error.ts';
import type { HarScope } from '../report/har.ts';
import { ReportsNotWritten } from '../report/not-written.ts';
import { signingKey } from '../report/sign/keys.ts';
import { knownChecks } from '../run/known-checks.ts';
import {
  type ConfiguredTarget,
  loadConfigured,
  placeOf,
  startConfigured,
  suitesOf,
  targetsOf,
} from './configuration.ts';
import { dryRun } from './dry-run.ts';
import { baselineOf, gatesOf, lastFailed } from './gates.ts';
import { requireNoExamples } from './placeholders.ts';
import { RunOnTerminal } from './run-on-terminal.ts';
import { runSeveral } from './several.ts';
import { type ShardFlags, shardFor } from './shard.ts';
import { askOnTerminal } from './trust.ts';

interface Flags extends RunFlags, ShardFlags {
  target?: string;
  config?: string;
  deviation?: string;
  out?: string;
  junit?: 'strict' | 'rich';
  har?: HarScope;
  knownFailures?: string;
  strictBaseline?: boolean;
  minExercised?: string;
  require?: string[];
  lastFailed?: boolean;
  sign?: string;
  verbose?: boolean;
  preflight?: boolean;
  dryRun?: boolean;
}

/** The flags as commander gives them, before one target is chosen. */
type GivenFlags = Omit<Flags, 'target'> & { target?: string[]; allTargets?: boolean };

export function runCommand(): Command {
  return new Command('run')
    .option(
      '-t, --target <name...>',
      'targets in the configuration, one after the other (default: its `default`)',
    )
    .option('--all-targets', 'all targets of the configuration')
    .option('-c, --config <file>', 'configuration (default: targets.yaml here, else the one of the package)')
    .option(
      '--deviation <id>',
      'run against the reference with this deviation: what a broken server looks like (`conform list --deviations`)',
    )
    .option('-s, --suite <name...>', 'suites to run (default: all that the target has)')
    .option('-g, --grep <pattern...>', 'ids of checks to run; * stands for anything')
    .option('-o, --out <dir>', 'where reports go (default: reports/<target>)')
    .option('--effects <list>', 'what checks may do: read,write,settings')
    .option('--max-wait <seconds>', 'longest wait in real time (default 10)')
    .option('--settle <seconds>', 'reads may lag so far behind changes (default 0)')
    .option('--timeout <seconds>', 'for one request (default 10)')
    .option('--seed <n>', 'seed of the test data (default: random, printed)')
    .option('--concurrency <n>', 'checks that may run side by side (default: 1)')
    .addOption(
      new Option('--order <order>', 'of the checks (default: planned)').choices(['planned', 'random']),
    )
    .option(
      '--budget <n>',
      'about so many requests: the checks that catch most for them, the rest is skipped',
    )
    .option(
      '--max-requests <n>',
      'requests that checks and the preflight may send; the rest is skipped, and cleaning up is done all the same',
    )
    .option('--max-time <seconds>', 'time that the checks may take; the rest is skipped')
    .option('--strict', 'advised statements fail the run too')
    .option('--known-failures <file>', 'baseline: failures that are known and do not fail the run')
    .option(
      '--strict-baseline',
      'entries of the baseline that hold or have expired fail the run (default in CI)',
    )
    .option('--no-strict-baseline', 'they are only said')
    .option(
      '--min-exercised <n>',
      'fail unless so many requirements (120), or such a share (80%), were exercised',
    )
    .option('--require <pattern...>', 'ids that have to be exercised and to hold')
    .option('--shard <i/n>', 'only the checks of shard i of n; `conform merge` joins the reports')
    .option('--isolated', 'with --shard: nobody else uses the target, not even the other shards')
    .option('--last-failed', 'only what failed or was undecided in the last run, by its report under --out')
    .addOption(new Option('--junit <profile>', 'profile of junit.xml').choices(['strict', 'rich']))
    .addOption(
      new Option(
        '--har <scope>',
        'exchanges in exchanges.har: those of checks that failed, warned or are undecided (default), or all',
      ).choices(['attention', 'full']),
    )
    .option('--sign <key>', 'sign the report: private key as PEM or JWK, a file or env:NAME')
    .option('--dry-run', 'print what the run would do; nothing is sent')
    .option('--no-preflight', 'do not try the settings of the target first')
    .option('-v, --verbose', 'print every check')
    .action(async ({ target, allTargets, ...flags }: GivenFlags) => {
      if (flags.deviation !== undefined && (allTargets || (target ?? []).length > 0))
        throw new UsageError('--deviation tests the reference: leave the targets out, or --deviation');
      const names = allTargets ? targetsOf(flags) : (target ?? []);
      process.exitCode =
        names.length > 1 || allTargets
          ? await runSeveral(
              names,
              flags.out ?? 'reports',
              (name, out) => runTarget({ ...flags, target: name, out }),
              flags.dryRun,
            )
          : await runTarget({ ...flags, ...(names[0] !== undefined && { target: names[0] }) });
    });
}

/** Runs against one target, and returns the exit status (DESIGN section 5). */
async function runTarget(flags: Flags): Promise<number> {
  requireValidFlags(flags);
  const loaded = await loadConfigured(flags);
  // All shards of a run have to use the same seed.
  if (flags.shard !== undefined) flags.seed ??= '1';
  const options = resolveOptions(flags, loaded.run, loaded.target, suitesOf(loaded), loaded.at);
  await requireTrust(loaded.source, loaded.target, askOnTerminal);
  const out = outputFolder(flags.out, loaded);
  if (flags.lastFailed) options.grep.push(...lastFailed(out));
  await rejectUnmatched(options.grep, options.suites);
  rejectUnknown('--require', flags.require ?? [], options.suites);
  if (options.budget !== undefined && flags.shard !== undefined)
    throw new UsageError('--budget: a run that is cut down to a few requests is not split into shards');
  const shard = await shardFor(flags, loaded.target, options);
  if (flags.dryRun) return dryRun(loaded, options, flags.preflight);
  await requireNoExamples(loaded);
  const baseline = baselineOf(flags, loaded);
  const gates = gatesOf(flags, loaded.run);
  const signer = flags.sign === undefined ? undefined : await signingKey(flags.sign);
  const terminal = new RunOnTerminal(loaded, flags.verbose ?? false);
  try {
    const report = await run(loaded.target, {
      ...options,
      out,
      reports: {
        junitProfile: flags.junit ?? loaded.run.junit ?? 'strict',
        har: flags.har ?? loaded.run.har ?? 'attention',
        ...(signer && { signer }),
        annotated: placeOf(loaded),
      },
      ...(baseline && { baseline }),
      gates,
      ...(shard && { shard }),
      ...(flags.preflight !== undefined && { preflight: flags.preflight }),
      ...(loaded.deviation && { embed: () => startConfigured(loaded) }),
      events: terminal,
      signal: terminal.signal,
    });
    return report.exitCode;
  } catch (error) {
    // They were named together with the verdict.
    if (error instanceof ReportsNotWritten) return error.status;
    throw error;
  } finally {
    terminal.close();
  }
}

/**
 * Returns the folder for reports. A configuration that nobody named, but that was found in the folder, cannot
 * choose one outside of it.
 */
function outputFolder(flag: string | undefined, { run, target, source, at }: ConfiguredTarget): string {
  if (flag !== undefined) return flag;
  const out = run.out ?? join('reports', target.name);
  requireInside(source, out, run.out === undefined ? '--out' : at('out'));
  return out;
}

async function rejectUnmatched(grep: string[], suites: string[]): Promise<void> {
  rejectUnknown('--grep', grep, suites);
  if (grep.length === 0) return;
  const checks = (await knownChecks()).filter(({ suite }) => suites.includes(suite));
  if (checks.some(({ id, requirements }) => [id, ...requirements].some((each) => matches(each, grep))))
    return;
  throw new UsageError(
    `--grep ${grep.join(' ')}: there is no such check; \`conform explain ID\` names those of a requirement`,
  );
}

/** Throws `UsageError` where a pattern matches the id of no requirement of the suites. */
function rejectUnknown(flag: string, patterns: readonly string[], suites: readonly string[]): void {
  const ids = [...allCatalogues().values()]
    .filter((c) => suites.includes(c.suite))
    .flatMap((c) => c.requirements.map((r) => r.id));
  for (const pattern of patterns) {
    const id = pattern.split('/')[0] as string;
    if (!ids.some((known) => matches(known, [id])))
      throw new UsageError(`${flag} ${pattern} matches no id${suggestion(id, ids)}`);
  }
}
