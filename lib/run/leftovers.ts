/** What a run leaves on a target, undone from its journal: at its end, before the next one, or by `conform clean`. */
import { randomUUID } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { Journal, openEntries } from '../check/journal.ts';
import type { Undoers } from '../check/service.ts';
import { allServices } from '../check/services.ts';
import { Session } from '../check/session.ts';
import type { ResolvedTarget, RunOptions } from '../config/types.ts';

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

/** The undoers of all services. */
async function loadUndoers(): Promise<Undoers> {
  const each = await Promise.all(allServices().map((service) => service.undoers?.() ?? {}));
  return Object.assign({}, ...each) as Undoers;
}
