/** `conform`: the command line. One file a command; this one only names them. */
import { Command, CommanderError } from 'commander';
import { UsageError } from '../model/usage-error.ts';
import { inert } from '../report/terminal-safe.ts';
import { tool } from '../run/execute.ts';
import { baselineCommand } from './baseline.ts';
import { cleanCommand } from './clean.ts';
import { compareCommand } from './compare.ts';
import { doctorCommand } from './doctor.ts';
import { explainCommand } from './explain.ts';
import { initCommand } from './init.ts';
import { listCommand } from './list.ts';
import { proveCommand } from './prove.ts';
import { runCommand } from './run.ts';
import { serveCommand } from './serve.ts';
import { guardStream } from './streams.ts';
import { trustCommand } from './trust.ts';

guardStream(process.stdout);
guardStream(process.stderr);

const program = new Command('conform')
  .description('Conformance test suite for HTTP APIs: `list` shows what it asks of them, `run` asks')
  .version(tool().version)
  .showSuggestionAfterError()
  .showHelpAfterError('(conform --help shows the commands, conform COMMAND --help the flags)')
  .configureHelp({ sortSubcommands: false })
  .exitOverride();

for (const command of [
  runCommand,
  doctorCommand,
  initCommand,
  listCommand,
  explainCommand,
  serveCommand,
  cleanCommand,
  trustCommand,
  baselineCommand,
  compareCommand,
  proveCommand,
]) {
  // Subcommands do not inherit the override; without it commander exits by itself with 1.
  program.addCommand(command().exitOverride().showHelpAfterError('(add --help for the flags)'));
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

/** Prints what went wrong; gives the exit status: 2 for wrong usage, 3 for a mistake of the suite. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError) {
    process.stderr.write(`conform: ${inert(error.message)}\n`);
    return 2;
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`conform: a mistake in the suite itself, please report it: ${inert(message)}\n`);
  if (process.env.CONFORM_DEBUG) process.stderr.write(`${stack}\n`);
  return 3;
}
