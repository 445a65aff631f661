/** What is required of every deletion by key (endpoint 17). */
import { requireOk } from '../../../lib/check/require.ts';
import type { Seeded } from '../api/cache.ts';
import type { DeletionContext, KeyDeletion } from '../fixtures/deletion-by-key.ts';
import { EntryMatcher } from './entry-matcher.ts';

/** Throws `Blocked` unless the deletion was answered with success and deleted at least one cache. */
export function requireDeletionWorked(
  { block }: DeletionContext,
  { answer, named, here }: KeyDeletion,
): void {
  requireOk(answer, 'CACHE-DELETE-KEY-STATUS');
  if (named.every((cache) => here.has(cache))) block('the deletion deleted nothing', 'CACHE-DELETE-KEY-ALL');
}

/** Fails if a cache that the deletion named is still there. */
export function expectAllGone({ expect }: DeletionContext, { named, here, list, answer }: KeyDeletion): void {
  const left = named.find((cache) => here.has(cache));
  expect.that(
    left === undefined,
    `the cache ${left?.id} with key ${left?.key} of ${left?.ref} is still there (${answer.status})`,
    {
      answer: list,
      at: '/actions_caches',
      expected: `${named.length} caches gone`,
      found: `${named.filter((cache) => !here.has(cache)).length} of them`,
    },
  );
}

/** Fails if the deletion also deleted one of these caches. Throws `Blocked` if it was not listed before either. */
export function expectAllSpared(
  { expect, block }: DeletionContext,
  { query, here, answer, unlisted }: KeyDeletion,
  caches: readonly Seeded[],
): void {
  const missing = caches.filter((cache) => !here.has(cache));
  const lost = missing.find((cache) => !unlisted.has(cache));
  if (lost === undefined && missing[0] !== undefined)
    block(
      `the cache with key ${missing[0].key} was not listed before the deletion either`,
      'CACHE-LIST-COMPLETE',
    );
  expect.that(
    lost === undefined,
    `a deletion of key ${query.key}${query.ref ? ` and ref ${query.ref}` : ''} took the cache with key ${lost?.key} of ${lost?.ref} in ${lost?.repository.names.join('/')}`,
    { answer },
  );
}

/** Fails unless the answer names exactly the caches that were deleted, each once. */
export function expectAnswerExact(
  { expect, lists }: DeletionContext,
  { answer, named, spared, here }: KeyDeletion,
): void {
  const gone = named.filter((cache) => !here.has(cache));
  const { entries } = lists.expectPage(answer);
  // Caches that ought to have been spared and were deleted violate another requirement, and may be named.
  const others = Object.values(spared).flat();
  const entryMatcher = new EntryMatcher([...named, ...others]);
  const found = entries.map((entry) => entryMatcher.find(entry));
  const at = '/actions_caches';
  const missing = gone.find((cache) => !found.includes(cache));
  const stray = entries.findIndex((_, i) => found[i] === undefined || here.has(found[i]));
  expect.that(missing === undefined, `the answer lacks the deleted cache ${missing?.id} of ${missing?.ref}`, {
    answer,
    at,
    expected: `${gone.length} entries`,
    found: `${entries.length} entries`,
  });
  expect.that(
    stray === -1,
    `the answer has a cache that was not deleted: ${JSON.stringify(entries[stray])}`,
    { answer, at: `${at}/${stray}` },
  );
  expect.that(new Set(found).size === found.length, 'the answer has a deleted cache twice', { answer, at });
}
