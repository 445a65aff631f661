/** `conform list`: shows the catalogue, filtered. */
import { Command, Option } from 'commander';
import pc from 'picocolors';
import { suggestion } from '../config/nearest.ts';
import { allCatalogues } from '../model/catalogue/registry.ts';
import { matches } from '../model/pattern.ts';
import type { Level } from '../model/results.ts';
import { UsageError } from '../model/usage-error.ts';
import { count } from '../report/words.ts';
import { checksByRequirement } from './checks-by-requirement.ts';
import { loadPlugins, PLUGINS_FLAG } from './plugins.ts';

interface Flags {
  config?: string;
  suite?: string[];
  level?: Level[];
  grep?: string[];
  covered?: boolean;
  uncovered?: boolean;
  deviations?: boolean;
  json?: boolean;
}

export function listCommand(): Command {
  return new Command('list')
    .option(...PLUGINS_FLAG)
    .option('-s, --suite <name...>', 'only these suites')
    .addOption(
      new Option('-l, --level <level...>', 'only these levels').choices([
        'required',
        'advised',
        'silence',
        'untestable',
      ]),
    )
    .option('-g, --grep <pattern...>', 'only ids that match; * stands for anything')
    .option('--covered', 'only those with a check')
    .option('--uncovered', 'only those without a check')
    .option('--deviations', 'the broken servers of the proof instead: for `run` and `serve --deviation`')
    .option('--json', 'as JSON')
    .action(list);
}

async function list(flags: Flags): Promise<void> {
  await loadPlugins(flags);
  const catalogues = [...allCatalogues().values()];
  const names = catalogues.map((c) => c.suite);
  for (const name of flags.suite ?? []) {
    if (!names.includes(name)) throw new UsageError(`no suite \`${name}\`${suggestion(name, names)}`);
  }
  if (flags.deviations) return listDeviations(flags);
  const checks = await checksByRequirement();
  const rows = catalogues
    .filter((c) => !flags.suite || flags.suite.includes(c.suite))
    .flatMap((c) => c.requirements.map((r) => ({ suite: c.suite, ...r, checks: checks.get(r.id) ?? [] })))
    .filter((r) => !flags.level || flags.level.includes(r.level))
    .filter((r) => matches(r.id, flags.grep ?? []))
    .filter((r) => !flags.covered || r.checks.length > 0)
    .filter((r) => !flags.uncovered || r.checks.length === 0);
  if (rows.length === 0 && flags.grep) throw new UsageError('no requirement matches');
  if (flags.json) {
    process.stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);
    return;
  }
  const width = Math.max(0, ...rows.map((r) => r.id.length));
  for (const r of rows) {
    const count = r.checks.length === 0 ? pc.dim('-') : String(r.checks.length);
    process.stdout.write(
      `${r.id.padEnd(width)}  ${r.level.padEnd(10)}  ${count.padStart(3)}  ${r.title} ${pc.dim(`(${r.section})`)}\n`,
    );
  }
  process.stdout.write(pc.dim(`${count(rows.length, 'entry', 'entries')}\n`));
}

/** Lists the deviations whose id, or a requirement that they break, matches. */
async function listDeviations({ suite, grep = [], json }: Flags): Promise<void> {
  // Loaded only here, since loading the deviations takes longer than everything else.
  const [{ loadCases }, { serviceOf }] = await Promise.all([
    import('../prove/load.ts'),
    import('../check/services.ts'),
  ]);
  const services = suite?.map((name) => serviceOf(name).name);
  const cases = await loadCases();
  const rows = cases
    .filter(({ kind }) => kind === 'deviation')
    .filter(({ service }) => services?.includes(service) ?? true)
    .filter(({ id, breaks }) => [id, ...breaks].some((each) => matches(each, grep)));
  if (rows.length === 0) {
    const variants = cases.filter(({ id, kind }) => kind === 'variant' && matches(id, grep));
    const others =
      variants.length > 0
        ? `; of variants, which are not listed, ${variants.length} match: ${shortened(variants.map(({ id }) => id))}`
        : '';
    throw new UsageError(`no deviation matches${others}`);
  }
  if (json) {
    process.stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);
    return;
  }
  for (const { id, sentence, breaks } of rows)
    process.stdout.write(`${id}  ${sentence} ${pc.dim(`(breaks ${shortened(breaks)})`)}\n`);
  process.stdout.write(pc.dim(`${count(rows.length, 'deviation')}\n`));
}

function shortened(ids: readonly string[]): string {
  return ids.length > 3 ? `${ids.slice(0, 3).join(', ')} and ${ids.length - 3} more` : ids.join(', ');
}
