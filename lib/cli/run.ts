/** `conform run`: runs the suites against a target, prints what came of it, writes the reports. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { serviceOf } from '../check/services.ts';
import type { LoadedTarget } from '../config/load.ts';
import { suggestion } from '../config/nearest.ts';
import { type RunFlags, resolveOptions } from '../config/options.ts';
import { addTargetSecrets } from '../config/secrets.ts';
import { requireInside, requireTrust } from '../config/trust.ts';
import { serviceConfig } from '../config/types.ts';
import { allCatalogues } from '../model/catalogue/registry.ts';
import { matches } from '../model/pattern.ts';
import { UsageError } from '../model/usage-error.ts';
import { diagnose } from '../report/diagnosis/diagnose.ts';
import { loadSignatures } from '../report/diagnosis/signatures.ts';
import { writeReports } from '../report/index.ts';
import { createRedactor } from '../report/redact.ts';
import { learnSecrets, redactReport } from '../report/redact-report.ts';
import { startEmbedded } from '../run/embedded.ts';
import { execute } from '../run/execute.ts';
import { settleJournal, undoJournal } from '../run/leftovers.ts';
import { Runner } from '../run/runner.ts';
import { type ConfiguredTarget, loadConfigured } from './configuration.ts';
import { prepareOutputFolder } from './output-folder.ts';
import { Progress } from './progress.ts';
import { printSummary } from './summary.ts';
import { askOnTerminal } from './trust.ts';

interface Flags extends RunFlags {
  target?: string;
  config?: string;
  out?: string;
  junit?: 'strict' | 'rich';
  knownFailures?: string;
  verbose?: boolean;
}

export function runCommand(): Command {
  return new Command('run')
    .description('run the suites against a target; without arguments, against the embedded reference')
    .option('-t, --target <name>', 'target in the configuration (default: its `default`)')
    .option('-c, --config <file>', 'configuration (default: targets.yaml here, else the one of the package)')
    .option('-s, --suite <name...>', 'suites to run (default: all that the target has)')
    .option('-g, --grep <pattern...>', 'ids of checks to run; * stands for anything')
    .option('-o, --out <dir>', 'where reports go (default: reports/<target>)')
    .option('--effects <list>', 'what checks may do: read,write,settings')
    .option('--max-wait <seconds>', 'longest wait in real time (default 10)')
    .option('--timeout <seconds>', 'for one request (default 10)')
    .option('--seed <n>', 'seed of the test data (default: random, printed)')
    .option('--strict', 'advised statements fail the run too')
    .option('--known-failures <file>', 'ids, one a line, that are known to fail and do not fail the run')
    .addOption(new Option('--junit <profile>', 'profile of junit.xml').choices(['strict', 'rich']))
    .option('-v, --verbose', 'print every check')
    .action(async (flags: Flags) => {
      process.exitCode = await run(flags);
    });
}

/** Does the run; gives the exit status (DESIGN section 5). */
async function run(flags: Flags): Promise<number> {
  const loaded = loadConfigured(flags);
  const suites = suitesOf(loaded);
  const options = resolveOptions(flags, loaded.run, loaded.target, suites, loaded.at);
  await requireTrust(loaded.source, loaded.target, askOnTerminal);
  if (flags.knownFailures === undefined && loaded.run.knownFailures !== undefined)
    requireInside(loaded.source, loaded.run.knownFailures, loaded.at('knownFailures'));
  const known = readKnownFailures(flags.knownFailures ?? loaded.run.knownFailures);
  rejectUnmatched(options.grep, options.suites);
  const out = outputFolder(flags.out, loaded);
  prepareOutputFolder(out);
  const journal = join(out, 'journal.jsonl');

  const progress = new Progress(process.stdout, flags.verbose ?? false);
  // Side by side: the reference makes a key pair while vitest starts.
  const [embedded, runner] = await Promise.all([
    loaded.target.embedded ? startEmbedded(loaded.target) : undefined,
    Runner.open(),
  ]);
  const target = embedded?.target ?? loaded.target;
  const redactor = createRedactor();
  addTargetSecrets(redactor, target);
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
    for (const line of await settleJournal(journal, target, options)) progress.note(redactor.text(line));
    const { report, outcome } = await execute(runner, {
      target,
      options,
      journal,
      knownFailures: known,
      onResult: (result) => {
        learnSecrets(result, redactor);
        progress.check(result);
      },
    });
    progress.end();
    // Checks that had no turn could have failed.
    if (interrupted && report.exitCode === 0) report.exitCode = 3;
    if (
      !interrupted &&
      report.checks.length === 0 &&
      outcome.problems.length === 0 &&
      options.grep.length > 0
    ) {
      throw new UsageError(
        `--grep ${options.grep.join(' ')}: there is no such check; \`conform explain ID\` names those of a requirement`,
      );
    }
    report.diagnoses = diagnose(
      report.checks.filter((check) => check.verdict === 'failed').map((check) => check.id),
      loadSignatures(),
    );
    const left = [...outcome.leftovers, ...(await undoJournal(journal, target, options))];
    const files = await writeReports(report, out, {
      redact: redactor,
      junitProfile: flags.junit ?? loaded.run.junit ?? 'strict',
    });
    printSummary(process.stdout, redactReport(report, redactor), {
      problems: outcome.problems.map((p) => redactor.text(p)),
      left: left.map((l) => redactor.text(l)),
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

/** The suites that a target can be asked about: those whose service it has a configuration for. */
function suitesOf({ target }: LoadedTarget): string[] {
  return [...allCatalogues().keys()].filter(
    (suite) => target.embedded || serviceConfig(target, serviceOf(suite).name) !== undefined,
  );
}

function rejectUnmatched(grep: string[], suites: string[]): void {
  const ids = [...allCatalogues().values()]
    .filter((c) => suites.includes(c.suite))
    .flatMap((c) => c.requirements.map((r) => r.id));
  for (const pattern of grep) {
    const id = pattern.split('/')[0] as string;
    if (!ids.some((known) => matches(known, [id]))) {
      throw new UsageError(`--grep ${pattern} matches no id${suggestion(id, ids)}`);
    }
  }
}

/** An id of a requirement or check, or a pattern of ids. */
const ID_PATTERN = /^[A-Z][A-Z0-9*]*([-*][A-Z0-9*]+)*(\/[a-z0-9=._*-]+)?$/i;

function readKnownFailures(file: string | undefined): string[] {
  if (file === undefined) return [];
  if (!existsSync(file)) throw new UsageError(`${file}: no such file of known failures`);
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim());
  const patterns = lines.filter((line) => line !== '');
  // Of all suites: one file may serve several runs. An id with a slip in it would let a run fail unexplained.
  const ids = [...allCatalogues().values()].flatMap((c) => c.requirements.map((r) => r.id));
  for (const pattern of patterns) {
    if (ids.some((id) => matches(id, [pattern]))) continue;
    // What does not look like an id may be a line of any file, and is not shown.
    const shown = ID_PATTERN.test(pattern) ? `${pattern} matches` : 'the line matches';
    throw new UsageError(
      `${file}:${lines.indexOf(pattern) + 1}: ${shown} no requirement${ID_PATTERN.test(pattern) ? suggestion(pattern.split('/')[0] as string, ids) : ''}`,
    );
  }
  return patterns;
}
