/** `conform clean`: undoes what an interrupted run left on a target, from its journal. */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { Journal, type JournalEntry, openEntries } from '../check/journal.ts';
import { Session } from '../check/session.ts';
import { resolveOptions } from '../config/options.ts';
import type { ResolvedTarget, RunOptions } from '../config/types.ts';
import { codeRoot } from '../model/paths.ts';
import { UsageError } from '../model/usage-error.ts';
import { loadConfigured } from './run.ts';

/**
 * What a service's `undo` module exports under `services/<service>/cleanup/undo`: by kind of journal entry,
 * how it is undone. Resolves when nothing is left; throws with a sentence when something is.
 */
export type Undoers = Record<string, (entry: JournalEntry, session: Session) => Promise<void>>;

export function cleanCommand(): Command {
  return new Command('clean')
    .description('undo what an interrupted run left on a target')
    .option('-t, --target <name>', 'target in the configuration')
    .option('-c, --config <file>', 'configuration')
    .option('-o, --out <dir>', 'where the run wrote its reports (default: reports/<target>)')
    .action(async (flags: { target?: string; config?: string; out?: string }) => {
      const loaded = loadConfigured(flags);
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

/** Undoes everything that a journal still has open, newest first. Returns what could not be undone. */
export async function undoJournal(
  file: string,
  target: ResolvedTarget,
  options: RunOptions,
): Promise<string[]> {
  const entries = openEntries(file);
  if (entries.length === 0) return [];
  const undoers = await loadUndoers();
  const session = await Session.open({ runId: randomUUID(), target, options });
  const journal = new Journal(file);
  const left: string[] = [];
  for (const entry of entries) {
    try {
      const undo = undoers[entry.kind];
      if (!undo) throw new Error('nothing knows how to undo it');
      await undo(entry, session);
      journal.done(entry.n);
    } catch (error) {
      left.push(
        `${entry.kind} ${JSON.stringify(entry.detail)}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  await session.close();
  return left;
}

/**
 * Before a run: what an earlier, interrupted one left is undone, and its journal makes room for the new one.
 * Returns lines for the terminal. What could not be undone stays on disk under another name.
 */
export async function settleJournal(
  file: string,
  target: ResolvedTarget,
  options: RunOptions,
): Promise<string[]> {
  if (!existsSync(file)) return [];
  // The embedded reference keeps nothing from one run to the next.
  const open = target.embedded ? 0 : openEntries(file).length;
  const left = open > 0 ? await undoJournal(file, target, options) : [];
  if (left.length === 0) {
    rmSync(file);
    return open > 0 ? [`${open} left over from an interrupted run: undone`] : [];
  }
  const kept = file.replace(/\.jsonl$/, `-${Date.now()}.jsonl`);
  renameSync(file, kept);
  return [
    `left over from an interrupted run and not undone, see ${kept}:`,
    ...left.map((line) => `  ${line}`),
  ];
}

/** The undo modules of all services, found by where they are. */
async function loadUndoers(): Promise<Undoers> {
  const folder = join(codeRoot(), 'services');
  const undoers: Undoers = {};
  for (const service of readdirSync(folder)) {
    const file = ['js', 'ts']
      .map((ending) => join(folder, service, 'cleanup', `undo.${ending}`))
      .find((path) => existsSync(path));
    if (file)
      Object.assign(undoers, ((await import(pathToFileURL(file).href)) as { undoers: Undoers }).undoers);
  }
  return undoers;
}
