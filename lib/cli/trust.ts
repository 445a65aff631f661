/**
 * `conform trust`: lets the configuration of a folder start programs even where the user does not name it.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { trustFolder } from '../config/trust.ts';
import { UsageError } from '../model/usage-error.ts';
import { Questions } from './terminal.ts';

export function trustCommand(): Command {
  return new Command('trust').argument('[folder]', 'default: this one', '.').action((folder: string) => {
    const file = join(folder, 'targets.yaml');
    if (!existsSync(file)) throw new UsageError(`${file}: no such file`);
    trustFolder(folder);
    process.stdout.write(`${file} is trusted from now on\n`);
  });
}

/** Asks a question on the terminal; undefined where there is no terminal. */
export const askOnTerminal: ((question: string) => Promise<boolean>) | undefined =
  process.stdin.isTTY && process.stdout.isTTY
    ? async (question) => {
        const questions = new Questions(process.stdin, process.stdout);
        try {
          return /^y(es)?$/i.test(await questions.ask(question, 'y/N'));
        } finally {
          questions.close();
        }
      }
    : undefined;
