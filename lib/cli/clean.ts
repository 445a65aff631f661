/** `conform clean`: undoes what interrupted runs left on a target, from their journals. */
import { Command } from 'commander';
import { StateFolder } from '../check/journal/state-folder.ts';
import { resolveOptions } from '../config/options.ts';
import { requireTrust } from '../config/trust.ts';
import { UsageError } from '../model/usage-error.ts';
import { inert } from '../report/terminal-safe.ts';
import { loadCleanups } from '../run/cleanups.ts';
import { SettingsLocks } from '../run/settings-lock.ts';
import { undoEarlier } from '../run/undo.ts';
import { loadConfigured } from './configuration.ts';
import { askOnTerminal } from './trust.ts';

interface Flags {
  target?: string;
  config?: string;
  effects?: string;
  run?: string;
  renewedToken?: boolean;
}

export function cleanCommand(): Command {
  return new Command('clean')
    .option('-t, --target <name>', 'target in the configuration')
    .option('-c, --config <file>', 'configuration')
    .option(
      '--effects <list>',
      'what may be done: read,write,settings (default: as the configuration, else all)',
    )
    .option('--run <id>', 'only this run, which you know is over')
    .option(
      '--renewed-token',
      'a token that differs from the one of the run is a newer one of the same account',
    )
    .action(async (flags: Flags) => {
      process.exitCode = await clean(flags);
    });
}

/** Cleans, and returns the exit status: 3 when something is left or in doubt. */
async function clean(flags: Flags): Promise<number> {
  const { target, run, source } = await loadConfigured(flags);
  if (target.embedded) throw new UsageError('the embedded reference keeps nothing after a run');
  await requireTrust(source, target, askOnTerminal);
  const effects = flags.effects ?? (run.effects ?? ['read', 'write', 'settings']).join(',');
  const state = new StateFolder();
  const { undone, left, withheld, stays, others } = await undoEarlier({
    target,
    options: resolveOptions({ effects }, { ...run, suites: [] }, target, []),
    cleanups: await loadCleanups(),
    state,
    locks: new SettingsLocks(state),
    ...(flags.renewedToken && { renewedToken: true }),
    ...(flags.run !== undefined && { onlyRun: flags.run }),
  });
  const lines = [
    ...left.map((each) => `  left   ${each}`),
    ...withheld.map((each) => `  left   ${each}`),
    ...stays.map((each) => `  stays  ${each}`),
    ...others.map((each) => `  other  ${each}`),
  ];
  const notUndone = left.length + withheld.length;
  const nothing = undone === 0 && notUndone === 0 && stays.length === 0;
  const nothingDone = `nothing ${others.length > 0 ? 'undone' : 'to undo'} on ${target.name}`;
  const head = nothing ? nothingDone : `${undone} undone, ${notUndone} left`;
  process.stdout.write(`${[head, ...lines].map((line) => `${inert(line)}\n`).join('')}`);
  return notUndone > 0 ? 3 : 0;
}
