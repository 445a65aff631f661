/** `conform run`: runs the suites against a target, prints what came of it, writes the reports. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { lockFolder } from '../check/journal/lock.ts';
import { suggestion } from '../config/nearest.ts';
import { type RunFlags, resolveOptions } from '../config/options.ts';
import { redactorFor } from '../config/secrets.ts';
import { requireInside, requireTrust } from '../config/trust.ts';
import type { RunOptions } from '../config/types.ts';
import { allCatalogues } from '../model/catalogue/registry.ts';
import { matches } from '../model/pattern.ts';
import { UsageError } from '../model/usage-error.ts';
import { diagnoseRun } from '../report/diagnosis/run.ts';
import { loadSignatures } from '../report/diagnosis/signatures.ts';
import type { HarScope } from '../report/har.ts';
import { type ReportOptions, writeReports } from '../report/index.ts';
import { signingKey } from '../report/sign/keys.ts';
import { inert } from '../report/terminal-safe.ts';
import { startEmbedded } from '../run/embedded.ts';
import { type Execution, execute } from '../run/execute.ts';
import { knownChecks } from '../run/known-checks.ts';
import { hasSettings, preflight, stopsRun } from '../run/preflight.ts';
import { RunJournal, toldOf } from '../run/run-journal.ts';
import { Runner } from '../run/runner.ts';
import { markInterrupted } from '../run/selection.ts';
import type { Shard } from '../run/shards.ts';
import { type ConfiguredTarget, loadConfigured, placeOf, suitesOf, targetsOf } from './configuration.ts';
import { dryRun } from './dry-run.ts';
import { baselineOf, gatesOf, lastFailed } from './gate.ts';
import { prepareOutputFolder } from './output-folder.ts';
import { doubtfulLines, leftOutLines, printStopped } from './preflight.ts';
import { Progress } from './progress.ts';
import { runSeveral } from './several.ts';
import { type ShardFlags, shardFacts, shardFor } from './shard.ts';
import { printSummary } from './summary.ts';
import { askOnTerminal } from './trust.ts';

interface Flags extends RunFlags, ShardFlags {
  target?: string;
  config?: string;
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

/** As the command line has them. */
type GivenFlags = Omit<Flags, 'target'> & { target?: string[]; allTargets?: boolean };

export function runCommand(): Command {
  return new Command('run')
    .description('run the suites against a target; without arguments, against the embedded reference')
    .option(
      '-t, --target <name...>',
      'targets in the configuration, one after the other (default: its `default`)',
    )
    .option('--all-targets', 'all targets of the configuration')
    .option('-c, --config <file>', 'configuration (default: targets.yaml here, else the one of the package)')
    .option('-s, --suite <name...>', 'suites to run (default: all that the target has)')
    .option('-g, --grep <pattern...>', 'ids of checks to run; * stands for anything')
    .option('-o, --out <dir>', 'where reports go (default: reports/<target>)')
    .option('--effects <list>', 'what checks may do: read,write,settings')
    .option('--max-wait <seconds>', 'longest wait in real time (default 10)')
    .option('--timeout <seconds>', 'for one request (default 10)')
    .option('--seed <n>', 'seed of the test data (default: random, printed)')
    .option('--concurrency <n>', 'checks that may run side by side (default: 1)')
    .addOption(
      new Option('--order <order>', 'of the checks (default: planned)').choices(['planned', 'random']),
    )
    .option('--max-requests <n>', 'requests that may be sent; the rest is skipped')
    .option('--max-time <seconds>', 'time that the checks may take; the rest is skipped')
    .option('--strict', 'advised statements fail the run too')
    .option('--known-failures <file>', 'baseline: failures that are known and do not fail the run')
    .option(
      '--strict-baseline',
      'entries of the baseline that are mended or expired fail the run (default in CI)',
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
      const names = allTargets ? targetsOf(flags) : (target ?? []);
      process.exitCode =
        names.length > 1 || allTargets
          ? await runSeveral(names, flags.out ?? 'reports', (name, out) =>
              run({ ...flags, target: name, out }),
            )
          : await run({ ...flags, ...(names[0] !== undefined && { target: names[0] }) });
    });
}

/** Does the run; gives the exit status (DESIGN section 5). */
async function run(flags: Flags): Promise<number> {
  const loaded = await loadConfigured(flags);
  const suites = suitesOf(loaded);
  // Shards of one run have one seed.
  if (flags.shard !== undefined) flags.seed ??= '1';
  const options = resolveOptions(flags, loaded.run, loaded.target, suites, loaded.at);
  await requireTrust(loaded.source, loaded.target, askOnTerminal);
  const out = outputFolder(flags.out, loaded);
  if (flags.lastFailed) options.grep.push(...lastFailed(out));
  await rejectUnmatched(options.grep, options.suites);
  if (flags.dryRun) return dryRun(loaded, options);
  const baseline = baselineOf(flags, loaded);
  const gates = gatesOf(flags, loaded.run);
  const signer = flags.sign === undefined ? undefined : await signingKey(flags.sign);
  const shard = await shardFor(flags, loaded.target, options);
  prepareOutputFolder(out);
  // Known before anything is sent: whether reports can be written there, and the journal kept.
  const unlock = lockFolder(out);
  try {
    return await runLocked(flags, loaded, options, { baseline, gates, signer, shard }, out);
  } finally {
    unlock();
  }
}

/** What a run is held against, and how its report is made. */
type Judging = Pick<Execution, 'baseline' | 'gates'> &
  Pick<ReportOptions, 'signer'> & { shard: Shard | undefined };

async function runLocked(
  flags: Flags,
  loaded: ConfiguredTarget,
  options: RunOptions,
  { baseline, gates = {}, signer, shard }: Judging,
  out: string,
): Promise<number> {
  const journal = await RunJournal.open(loaded.target, options);
  const progress = new Progress(process.stdout, flags.verbose ?? false);
  // Side by side: the reference makes a key pair while vitest starts.
  const [embedded, runner] = await Promise.all([
    loaded.target.embedded ? startEmbedded(loaded.target) : undefined,
    Runner.open(),
  ]);
  const target = embedded?.target ?? loaded.target;
  const redactor = redactorFor(target, options.suites);
  let interrupted = false;
  const onInterrupt = () => {
    // Whichever signal comes second ends the process, whatever the run is waiting for.
    if (interrupted) process.exit(130);
    interrupted = true;
    progress.note('interrupted: stopping, then putting things back (press again to stop at once)');
    void runner.cancel();
  };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onInterrupt);
  try {
    progress.begin(target, options);
    for (const label of redactor.weak) {
      progress.note(
        `${label} is short or a common word: it is redacted only where it stands as a whole value`,
      );
    }
    if (loaded.isFallback)
      progress.note(
        'there is no targets.yaml here, so the embedded reference is tested; `conform init` writes one',
      );
    for (const line of leftOutLines(loaded.leftOut)) progress.note(inert(line));
    const runId = randomUUID();
    const tried =
      flags.preflight !== false && hasSettings(loaded.target)
        ? await preflight({ runId, target, options, ...(journal && { journal: journal.placeOf }) })
        : undefined;
    for (const line of doubtfulLines(tried?.findings ?? [])) progress.note(line);
    const isStopped = tried?.findings.some(stopsRun) ?? false;
    const earlier = isStopped ? undefined : await journal?.settle(runId);
    for (const line of earlier ? toldOf(earlier) : []) progress.note(inert(redactor.text(line)));
    const { report, outcome } = await execute(runner, {
      target,
      options,
      ...(journal && { journal: journal.placeOf }),
      ...(baseline && { baseline }),
      // A part of a run is not asked for what the whole has to show.
      ...(shard === undefined && { gates }),
      runId,
      ...(tried && { preflight: tried }),
      onResult: (result) => progress.check(result),
    });
    progress.end();
    if (interrupted) markInterrupted(report, progress.left);
    report.diagnoses = diagnoseRun(report, loadSignatures);
    const own = await journal?.finish();
    // What the worker could not put back has been tried again, as far as the journal knows of it.
    const left = own && own.left.length + own.undone > 0 ? own.left : outcome.leftovers;
    report.leftovers = [...left, ...(earlier?.left ?? [])].map((line) => redactor.text(line));
    // The embedded reference ends with the run, and everything with it.
    const stays = embedded ? [] : [...outcome.stays, ...(own?.stays ?? [])];
    report.stays = stays.map((line) => redactor.text(line));
    // Nobody knows what state the target is in.
    if (report.leftovers.length > 0 && report.exitCode === 0) report.exitCode = 3;
    if (shard) report.shard = shardFacts(shard, options, gates, interrupted || outcome.died);
    const files = await writeReports(report, out, {
      junitProfile: flags.junit ?? loaded.run.junit ?? 'strict',
      har: flags.har ?? loaded.run.har ?? 'attention',
      ...(signer && { signer }),
      annotated: placeOf(loaded),
    });
    if (tried && isStopped) {
      printStopped(process.stdout, tried, files);
      return report.exitCode;
    }
    printSummary(process.stdout, report, {
      problems: outcome.problems,
      files,
      counts: outcome.counts,
    });
    return report.exitCode;
  } finally {
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onInterrupt);
    await runner.close();
    await embedded?.close();
  }
}

/** Where reports go; a configuration that was only found in the folder does not lead out of it. */
function outputFolder(flag: string | undefined, { run, target, source, at }: ConfiguredTarget): string {
  if (flag !== undefined) return flag;
  const out = run.out ?? join('reports', target.name);
  requireInside(source, out, run.out === undefined ? '--out' : at('out'));
  return out;
}

async function rejectUnmatched(grep: string[], suites: string[]): Promise<void> {
  const ids = [...allCatalogues().values()]
    .filter((c) => suites.includes(c.suite))
    .flatMap((c) => c.requirements.map((r) => r.id));
  for (const pattern of grep) {
    const id = pattern.split('/')[0] as string;
    if (!ids.some((known) => matches(known, [id]))) {
      throw new UsageError(`--grep ${pattern} matches no id${suggestion(id, ids)}`);
    }
  }
  if (grep.length === 0) return;
  const checks = (await knownChecks()).filter(({ suite }) => suites.includes(suite));
  if (checks.some(({ id, requirements }) => [id, ...requirements].some((each) => matches(each, grep))))
    return;
  throw new UsageError(
    `--grep ${grep.join(' ')}: there is no such check; \`conform explain ID\` names those of a requirement`,
  );
}
