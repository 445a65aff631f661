/** `conform prove`: tests the suite itself (DESIGN section 8). */
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import pc from 'picocolors';
import { suggestion } from '../config/nearest.ts';
import { allCatalogues } from '../model/catalogue/registry.ts';
import { UsageError } from '../model/usage-error.ts';
import { compareText, readProof } from '../prove/compare.ts';
import { diagnosisLines, staleDocuments, updateDocuments } from '../prove/document.ts';
import type { Recheck } from '../prove/due.ts';
import { publishOutcomes } from '../prove/kept.ts';
import type { Finding, ProofCase } from '../prove/model.ts';
import { numbersOf } from '../prove/numbers.ts';
import { held, type Proof, prove } from '../prove/prove.ts';
import { writeProof } from '../prove/report.ts';
import { mergeFolders, writeOutcomes } from '../prove/shards.ts';
import { count } from '../report/words.ts';
import type { LaneOptions } from '../run/lanes.ts';
import { shardOf } from '../run/shards.ts';
import { loadPlugins, PLUGINS_FLAG } from './plugins.ts';
import { MovingLine } from './terminal.ts';

interface Flags {
  config?: string;
  suite?: string[];
  only?: string[];
  kind?: string[];
  jobs?: string;
  concurrency?: string;
  order?: LaneOptions['order'];
  seed?: string;
  allChecks?: boolean;
  changed?: boolean;
  recheck?: string;
  out: string;
  updateDocs?: boolean;
  compare?: string[];
  shard?: string;
  merge?: string[];
}

const KINDS: Record<string, ProofCase['kind'][]> = {
  deviations: ['deviation'],
  pairs: ['pair'],
  variants: ['reference', 'variant'],
  trivial: ['trivial'],
};

export function proveCommand(): Command {
  return new Command('prove')
    .description('run the suites against every deviation, variant and trivial server')
    .option(...PLUGINS_FLAG)
    .option('-s, --suite <name...>', 'suites to prove (default: all)')
    .option('--only <pattern...>', 'ids of deviations, variants and trivial servers; * stands for anything')
    .addOption(new Option('--kind <kind...>', 'what to run').choices(Object.keys(KINDS)))
    .option('-j, --jobs <n>', 'worker threads (default: one for each core)')
    .option('--concurrency <n>', 'checks of a case that may run side by side (default: 1)')
    .addOption(new Option('--order <order>', 'of the checks of a case').choices(['planned', 'random']))
    .option('--seed <n>', 'seed of the random order (default: 1), and of --recheck (default: at random)')
    .option(
      '--all-checks',
      'run all checks on each case, also those that get the same answers from it as from the reference',
    )
    .option(
      '--changed',
      'only cases whose outcome may differ from the one in --out, or from the published one',
    )
    .option('--recheck <n>', 'with --changed: run one in n of the other cases all the same')
    .option('-o, --out <dir>', 'where proof.json and proof.md go', join('reports', 'proof'))
    .option(
      '--update-docs',
      'write docs/proof.md, and signatures and outcomes into deviations; needs the whole proof',
    )
    .option('--shard <i/n>', 'only part i of n of the cases')
    .option('--merge <dir...>', 'make one proof of those of all shards, and run nothing')
    .option(
      '--compare <proof.json...>',
      'print what differs from an earlier proof; with two files, between them, and nothing is run',
    )
    .action(async (flags: Flags) => {
      process.exitCode = await run(flags);
    });
}

async function run(flags: Flags): Promise<number> {
  const compared = (flags.compare ?? []).map(readProof);
  if (compared.length > 2) throw new UsageError('--compare takes one proof.json or two');
  if (compared.length === 2) {
    process.stdout.write(compareText(compared[0]!, compared[1]!));
    return 0;
  }
  if (flags.updateDocs && (flags.suite || flags.only || flags.kind || flags.shard))
    throw new UsageError(NEEDS_ALL);
  await loadPlugins(flags);
  const suites = flags.suite && known(flags.suite);
  const kinds = flags.kind?.flatMap((kind) => KINDS[kind] ?? []);
  const jobs = flags.jobs === undefined ? availableParallelism() : Number(flags.jobs);
  if (!Number.isInteger(jobs) || jobs < 1)
    throw new UsageError(`--jobs ${flags.jobs}: not a number of 1 or more`);
  const seed = flags.seed === undefined ? undefined : Number(flags.seed);
  if (seed !== undefined && !Number.isInteger(seed))
    throw new UsageError(`--seed ${flags.seed}: not a number`);
  const lanes: LaneOptions = {
    concurrency: flags.concurrency === undefined ? 1 : Number(flags.concurrency),
    order: flags.order ?? 'planned',
    // In the planned order it decides nothing, so it must not tell outcomes apart.
    seed: flags.order === 'random' ? (seed ?? 1) : 1,
  };
  if (!Number.isInteger(lanes.concurrency) || lanes.concurrency < 1)
    throw new UsageError(`--concurrency ${flags.concurrency}: not a number of 1 or more`);
  const recheck = recheckOf(flags, seed);
  const options = {
    jobs,
    lanes,
    reached: !flags.allChecks,
    ...(flags.changed && { changed: true, recheck }),
    keptIn: flags.out,
    ...(flags.shard !== undefined && { shard: shardOf(flags.shard) }),
    ...(suites && { suites }),
    ...(flags.only && { only: flags.only }),
    ...(kinds && { kinds }),
  };
  let cases = 0;
  let done = 0;
  const line = new MovingLine(process.stdout);
  const tell = (text: string) => line.show(text);
  const proof = flags.merge
    ? await mergeFolders(flags.merge)
    : await prove(
        options,
        (count) => {
          if (count === 0) throw new UsageError('no deviation, variant or trivial server has such an id');
          cases = count;
        },
        ({ id }) => {
          done += 1;
          tell(`  ${done} of ${cases}  ${pc.dim(id)}`.slice(0, 160));
        },
      );
  tell('');
  if (flags.updateDocs) {
    if (!proof.complete) throw new UsageError(NEEDS_ALL);
    updateDocuments(proof);
    if (!flags.merge) publishOutcomes(flags.out, proof.proven);
  } else if (proof.complete) {
    for (const document of staleDocuments(proof)) {
      proof.findings.push({
        kind: 'stale',
        message: `${document} is out of date; run conform prove --update-docs`,
      });
    }
  }
  const files = writeProof(proof, flags.out);
  if (options.shard) files.push(writeOutcomes(flags.out, options, proof));
  process.stdout.write(summary(proof, files, recheck));
  if (compared[0]) process.stdout.write(compareText(compared[0], readProof(files[0]!)));
  return held(proof).length > 0 || proof.problems.length > 0 ? 1 : 0;
}

const NEEDS_ALL = '--update-docs needs the whole proof, without --suite, --only, --kind, --shard or plugins';

/** Returns which of the unchanged cases run all the same. */
function recheckOf({ recheck, changed }: Flags, seed = randomInt(1_000_000)): Recheck | undefined {
  if (recheck === undefined) return undefined;
  const oneIn = Number(recheck);
  if (!Number.isInteger(oneIn) || oneIn < 1)
    throw new UsageError(`--recheck ${recheck}: not a number of 1 or more`);
  if (!changed) throw new UsageError('--recheck needs --changed');
  return { oneIn, seed };
}

function known(names: string[]): string[] {
  const all = [...allCatalogues().keys()];
  for (const name of names) {
    if (!all.includes(name)) throw new UsageError(`no suite \`${name}\`${suggestion(name, all)}`);
  }
  return names;
}

/** How many findings are printed. All of them are in proof.md. */
const PRINTED = 40;

function summary(proof: Proof, files: string[], recheck?: Recheck): string {
  const { catalogues, proven, findings, problems, durationMs, unchanged, rechecked, held: holding } = proof;
  const n = numbersOf(catalogues, proven, findings);
  const open = held(proof);
  const lines = [
    `${pc.bold('proof')}  ${catalogues.map((c) => c.suite).join(', ')}: ${count(proven.length, 'case')} in ${(durationMs / 1000).toFixed(1)} s`,
    ...(unchanged > 0
      ? [
          `  unchanged     ${unchanged}, of which ${rechecked} were run all the same${recheck ? ` (--seed ${recheck.seed})` : ''}`,
        ]
      : []),
    ...(holding > 0
      ? [`  unchanged     ${holding} more: their checks that have changed say what they said before`]
      : []),
    `  deviations    ${n.byHand + n.generated} (${n.byHand} by hand, ${n.generated} generated): ${n.caught} caught, ${count(n.survivors, 'requirement survives', 'requirements survive')}, over-blame ${n.overBlame}`,
    `  requirements  ${n.proven} of ${n.required} required and ${n.advisedProven} of ${n.advised} advised ones are broken by a deviation`,
    `  variants      ${n.variants} and ${count(n.combinations, 'combination')}, ${n.varied} of ${n.silences} silences filled: ${count(n.falseAlarms, 'false alarm')}, ${n.undecided} undecided`,
    `  trivial       ${count(n.trivial, 'server')}: ${count(n.passes, 'pass', 'passes')}`,
    ...diagnosisLines(proof).map((line, i) => `  ${i === 0 ? 'diagnosis' : '         '}     ${line}`),
    ...open
      .slice(0, PRINTED)
      .map((finding) => `  ${pc.red(finding.kind)} ${place(finding)}: ${finding.message}`),
    ...(open.length > PRINTED ? [`  … and ${open.length - PRINTED} more`] : []),
    ...problems.map((problem) => `  ${pc.red('problem')} ${problem}`),
    `  ${count(open.length, 'finding')}, ${findings.length - open.length} excepted; ${files.join(', ')}`,
  ];
  return `${lines.join('\n')}\n`;
}

function place({ case: id, requirement, check }: Finding): string {
  return [id, requirement, check].filter((part) => part !== undefined).join(' · ');
}
