/** Undoes the journal entries of the cache service: limits that were changed, and caches that were seeded. */
import type { ServiceCleanup, Undoing } from '../../../lib/check/cleanup.ts';
import type { JournalEntry } from '../../../lib/check/journal/format.ts';
import { CacheApi } from '../api/client.ts';
import { SEED_JOURNAL_KIND } from '../fixtures/seeds.ts';
import { KINDS, LEVELS } from '../vocabulary.ts';
import { LIMIT_KIND } from './changed-limits.ts';
import { removeMarked } from './remove-caches.ts';
import { type ChangedLimit, restoreLimits } from './restore-limits.ts';

export const cleanup: ServiceCleanup = {
  identify: ({ caches }, digest) =>
    caches && { baseUrl: caches.baseUrl, accounts: { token: digest(caches.token) } },

  undoers: {
    [LIMIT_KIND]: { effect: 'settings', undo: putBack },
    [SEED_JOURNAL_KIND]: { effect: 'write', undo: removeSeeded },
  },
};

async function putBack(entries: readonly JournalEntry[], undoing: Undoing): Promise<string[]> {
  const { session } = undoing;
  const limits = entries.map(({ detail }) => detail as unknown);
  if (!limits.every(isChangedLimit)) return ['an entry does not name a limit and what it was'];
  return restoreLimits(new CacheApi({ session }), session, limits, (limit) =>
    undoing.done(entries[limits.indexOf(limit)]!),
  );
}

/**
 * Removes seeded caches. They are found by the mark of the run in their keys, since a run that was
 * interrupted between the request and the answer of the seed hook never learnt their ids.
 */
async function removeSeeded(entries: readonly JournalEntry[], undoing: Undoing): Promise<string[]> {
  const { session, header, later } = undoing;
  const repositories = new Set<string>();
  for (const { detail } of entries) {
    if (!isTexts(detail.repositories)) return ['an entry does not name repositories'];
    for (const name of detail.repositories) repositories.add(name);
  }
  await removeMarked(session, new CacheApi({ session }), header.mark, [...repositories], !later);
  for (const entry of entries) undoing.done(entry);
  return [];
}

function isChangedLimit(value: unknown): value is ChangedLimit {
  const { level, names, kind, value: before, set } = value as Record<string, unknown>;
  return (
    (LEVELS as readonly unknown[]).includes(level) &&
    (KINDS as readonly unknown[]).includes(kind) &&
    isTexts(names) &&
    Number.isInteger(before) &&
    Array.isArray(set) &&
    set.every((each) => Number.isInteger(each))
  );
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== '');
}
