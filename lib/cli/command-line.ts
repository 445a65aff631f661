/** What `conform` does with the words of its command line. Each command has a file of its own. */
import { Command, CommanderError } from 'commander';
import { UsageError } from '../model/usage-error.ts';
import { inert } from '../report/terminal-safe.ts';
import { prepareChecks } from '../run/checks-in-thread.ts';
import { closePrepared } from '../run/thread.ts';
import { COMMANDS } from './commands.ts';

/** Flags that keep any check from running. */
const SENDS_NOTHING = ['-h', '--help', '--dry-run'];

/** Errors of the file system that are the machine's: no space, no right to write, too many open files. */
const OF_THE_MACHINE = ['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS', 'EMFILE', 'ENFILE', 'EIO'];

/**
 * Runs the command that the words name. It writes to the streams of this process and sets `process.exitCode`;
 * it never throws.
 * @param words the command line without the program
 */
export async function commandLine(words: readonly string[]): Promise<void> {
  try {
    // The checks are loaded while the command line is parsed. Words that name no suite are ignored.
    if (words[0] === 'run' && !words.some((word) => SENDS_NOTHING.includes(word))) prepareChecks(words);
    const program = await programFor(words);
    if (['-V', '--version'].includes(words[0] ?? ''))
      process.stdout.write((await import('./version.ts')).versions());
    else await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    process.exitCode = report(error);
  } finally {
    await closePrepared();
  }
}

async function programFor(words: readonly string[]): Promise<Command> {
  const program = new Command('conform')
    .description('Conformance test suite for HTTP APIs: `list` shows what it asks of them, `run` asks')
    .option('-V, --version', 'versions of the suite, of its catalogues and of Node')
    .showSuggestionAfterError()
    .showHelpAfterError('(conform --help shows the commands, conform COMMAND --help the flags)')
    .configureHelp({ sortSubcommands: false })
    .exitOverride();
  for (const { name, description, load } of COMMANDS) {
    // Only the module of the command that is called is loaded. For the others, a line of the help is enough.
    const command = (words.includes(name) ? await load() : new Command(name)).description(description);
    // Subcommands do not inherit the override. Without it, commander ends the process itself, with status 1.
    program.addCommand(command.exitOverride().showHelpAfterError('(add --help for the flags)'));
  }
  return program;
}

/**
 * Prints what went wrong. Returns the exit status: 2 for wrong usage and a question that was not answered, 3
 * for a file that cannot be read or written, or a mistake of the suite.
 */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError) {
    process.stderr.write(`conform: ${inert(error.message)}\n`);
    return 2;
  }
  const {
    message,
    stack,
    code = '',
  } = (error instanceof Error ? error : new Error(String(error))) as Error & {
    code?: string;
  };
  // Ctrl-C at a question.
  if (code === 'ABORT_ERR') {
    process.stderr.write('\nconform: stopped, nothing was written\n');
    return 2;
  }
  if (OF_THE_MACHINE.includes(code)) {
    process.stderr.write(`conform: ${inert(message)}\n`);
    return 3;
  }
  process.stderr.write(`conform: a mistake in the suite itself, please report it: ${inert(message)}\n`);
  if (process.env.CONFORM_DEBUG) process.stderr.write(`${stack}\n`);
  return 3;
}
