/** `conform clean`: undoes what an interrupted run left on a target, from its journal. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { openEntries } from '../check/journal.ts';
import { resolveOptions } from '../config/options.ts';
import { UsageError } from '../model/usage-error.ts';
import { undoJournal } from '../run/leftovers.ts';
import { loadConfigured } from './configuration.ts';

export function cleanCommand(): Command {
  return new Command('clean')
    .description('undo what an interrupted run left on a target')
    .option('-t, --target <name>', 'target in the configuration')
    .option('-c, --config <file>', 'configuration')
    .option('-o, --out <dir>', 'where the run wrote its reports (default: reports/<target>)')
    .action(async (flags: { target?: string; config?: string; out?: string }) => {
      const loaded = await loadConfigured(flags);
      if (loaded.target.embedded) throw new UsageError('the embedded reference keeps nothing after a run');
      const journal = join(
        flags.out ?? loaded.run.out ?? join('reports', loaded.target.name),
        'journal.jsonl',
      );
      if (!existsSync(journal))
        throw new UsageError(`${journal}: no such journal; name the folder of the run with --out`);
      const open = openEntries(journal).length;
      const left = await undoJournal(
        journal,
        loaded.target,
        resolveOptions({}, { ...loaded.run, suites: [] }, loaded.target, []),
      );
      process.stdout.write(
        `${open - left.length} undone, ${left.length} left\n${left.map((l) => `  ${l}\n`).join('')}`,
      );
      process.exitCode = left.length > 0 ? 3 : 0;
    });
}
